import { Placeholder } from '../../parts/loaded.tsx';

/** As high as a folded list of steps. */
export function FoldPlaceholder() {
  return (
    <Placeholder>
      <div className="fold">
        <p className="fold-line">–</p>
      </div>
    </Placeholder>
  );
}

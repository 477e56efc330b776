import type { Method } from '../../abi/read-abi.ts';
import { Button } from '../../parts/button.tsx';
import { Check } from '../../parts/choice.tsx';

type MethodPickerProps = {
  readonly methods: readonly Method[];
  /** Signatures of the selected methods. */
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
};

/** Selects functions of a contract; those that cannot be selected show why. */
export function MethodPicker({ methods, chosen, onChange }: MethodPickerProps) {
  const open = methods.filter(({ whyNot }) => whyNot === undefined);
  const toggle = (signature: string, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(signature);
    else next.delete(signature);
    onChange(next);
  };
  return (
    <fieldset className="stack">
      <legend>Sponsored methods</legend>
      {open.length < 2 ? null : (
        <div className="actions">
          <Button kind="quiet" onPress={() => onChange(new Set(open.map(({ signature }) => signature)))}>
            Choose all
          </Button>
          <Button kind="quiet" onPress={() => onChange(new Set())}>
            Choose none
          </Button>
        </div>
      )}
      <ul className="methods">
        {methods.map(({ signature, selector, whyNot }) => (
          <li key={signature} className={whyNot === undefined ? undefined : 'method-off'}>
            <Check
              isSelected={chosen.has(signature)}
              isDisabled={whyNot !== undefined}
              onChange={(isChosen) => toggle(signature, isChosen)}
            >
              <code>{signature}</code> <code className="muted">{selector}</code>
              {whyNot === undefined ? null : <div className="small">{whyNot}</div>}
            </Check>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

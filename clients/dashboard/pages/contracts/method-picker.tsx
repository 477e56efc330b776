import { whatItCallsBack } from '@tollfree/contract/methods-that-call-back';
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
              <CallsBack signature={signature} />
            </Check>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

/** Warns of a method whose caller can have code of their own run. */
function CallsBack({ signature }: Pick<Method, 'signature'>) {
  const what = whatItCallsBack(signature);
  if (what === undefined) return null;
  return (
    <div className="small">
      It {what}, whose code could use up the gas of the operation. Set “Maximum gas by method” in the policy.
    </div>
  );
}

import { Choice } from '../../parts/choice.tsx';
import { TextInput } from '../../parts/text-input.tsx';
import { type FailureChoice, wrongAmount } from './failure-choice.ts';

const choices = [
  { value: 'REFUSE', text: 'Pay for nothing' },
  { value: 'HOUR', text: 'Pay without it, up to an amount in an hour' },
  { value: 'DAY', text: 'Pay without it, up to an amount in a day' },
] as const;

type FailureFieldsProps = { readonly value: FailureChoice; readonly onChange: (value: FailureChoice) => void };

/** The choice, and the amount where there is one. */
export function FailureFields({ value, onChange }: FailureFieldsProps) {
  return (
    <div className="form-row">
      <Choice
        label="When it is down"
        value={value.when}
        options={choices}
        onChange={(when) => onChange({ ...value, when })}
      />
      {value.when === 'REFUSE' ? null : (
        <TextInput
          label="At most, in the chain’s coin"
          placeholder="0.05"
          hint="Whoever makes your webhook fail can spend this, and no more. A plain no still refuses."
          isRequired
          value={value.amount}
          onChange={(amount) => onChange({ ...value, amount })}
          check={wrongAmount}
        />
      )}
    </div>
  );
}

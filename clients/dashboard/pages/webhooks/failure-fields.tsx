import { Choice } from '../../parts/choice.tsx';
import { TextInput } from '../../parts/text-input.tsx';
import { type FailureChoice, wrongAmount } from './failure-choice.ts';

const choices = [
  { value: 'REFUSE', text: 'Refuse everything' },
  { value: 'HOUR', text: 'Sponsor without it, up to an amount per hour' },
  { value: 'DAY', text: 'Sponsor without it, up to an amount per day' },
] as const;

type FailureFieldsProps = { readonly value: FailureChoice; readonly onChange: (value: FailureChoice) => void };

/** The choice, and its amount if it needs one. */
export function FailureFields({ value, onChange }: FailureFieldsProps) {
  return (
    <div className="form-row">
      <Choice
        label="If it is down"
        value={value.when}
        options={choices}
        onChange={(when) => onChange({ ...value, when })}
      />
      {value.when === 'REFUSE' ? null : (
        <TextInput
          label="Maximum, in the native coin"
          placeholder="0.05"
          hint="Anyone who makes your webhook fail can spend this amount, but no more. An explicit no still refuses."
          isRequired
          value={value.amount}
          onChange={(amount) => onChange({ ...value, amount })}
          check={wrongAmount}
        />
      )}
    </div>
  );
}

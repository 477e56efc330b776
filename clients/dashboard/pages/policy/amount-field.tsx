import { useState } from 'react';
import { formatUnits, parseUnits } from 'viem';
import { TextInput } from '../../parts/text-input.tsx';

export type AmountFieldProps = {
  readonly label: string;
  readonly hint?: string | undefined;
  /** Wei in decimal digits. */
  readonly value: unknown;
  /** Digits after the point of the unit that is typed: 18 for the coin, 9 for gwei. */
  readonly decimals: 9 | 18;
  readonly onChange: (value: string | undefined) => void;
};

/** An amount of wei that is typed in a unit for people. What is no amount goes to the service as it is, which refuses it. */
export function AmountField({ label, hint, value, decimals, onChange }: AmountFieldProps) {
  const [text, setText] = useState(() => textOf(value, decimals));
  return (
    <TextInput
      label={label}
      hint={hint}
      value={text}
      check={(typed) => (typed === '' || isAmount(typed, decimals) ? undefined : 'Write an amount like 0.05.')}
      onChange={(typed) => {
        setText(typed);
        if (typed.trim() === '') onChange(undefined);
        else onChange(isAmount(typed, decimals) ? parseUnits(typed.trim(), decimals).toString() : typed);
      }}
    />
  );
}

function textOf(value: unknown, decimals: number): string {
  if (typeof value !== 'string') return '';
  return /^\d{1,78}$/.test(value) ? formatUnits(BigInt(value), decimals) : value;
}

function isAmount(text: string, decimals: number): boolean {
  return new RegExp(`^\\d{1,15}(\\.\\d{1,${decimals}})?$`).test(text.trim());
}

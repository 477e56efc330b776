import { useState } from 'react';
import { InLineText } from '../../parts/in-line.tsx';
import { amountText, readAmount } from './amount-text.ts';

type CoinAmountProps = {
  readonly label: string;
  /** Wei in decimal digits; absent or empty for none. */
  readonly wei: string | undefined;
  readonly onChange: (wei: string) => void;
};

/** An amount of the chain's coin inside a sentence, typed in coins. Invalid text is sent unchanged, and the service refuses it. */
export function CoinAmount({ label, wei, onChange }: CoinAmountProps) {
  const [typed, setTyped] = useState(() => ({ text: amountText(wei ?? '', 18), wei: wei ?? '' }));
  // The value may change from outside, such as by an undo.
  const text = typed.wei === (wei ?? '') ? typed.text : amountText(wei ?? '', 18);
  return (
    <InLineText
      label={label}
      placeholder="any"
      value={text}
      onChange={(next) => {
        const read = next.trim() === '' ? '' : readAmount(next, 18);
        setTyped({ text: next, wei: read });
        onChange(read);
      }}
    />
  );
}

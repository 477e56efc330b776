import { useState } from 'react';
import { Button, CopyButton } from './button.tsx';

/** A value of machines, in full, with a button that copies it. */
export function Value({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <span className="value">
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  );
}

/** An address or hash: its ends, and all of it for those who hover or copy. */
export function Short({ hex }: { readonly hex: string }) {
  const short = hex.length > 16 ? `${hex.slice(0, 8)}…${hex.slice(-6)}` : hex;
  return (
    <code title={hex} className="short">
      {short}
    </code>
  );
}

/** How much of the end is shown of what is masked. */
const shownEnd = 4;

/** A value that is not for everyone who looks over a shoulder: its end, all of it on request, and a button that copies it. */
export function MaskedValue({ text, what }: { readonly text: string; readonly what: string }) {
  const [isShown, setShown] = useState(false);
  const slash = text.lastIndexOf('/') + 1;
  return (
    <span className="value">
      <code>{isShown ? text : `${text.slice(0, slash)}••••••••${text.slice(-shownEnd)}`}</code>
      <Button kind="quiet" label={isShown ? `Hide ${what}` : `Show ${what}`} onPress={() => setShown(!isShown)}>
        {isShown ? 'Hide' : 'Show'}
      </Button>
      <CopyButton text={text} what={what} />
    </span>
  );
}

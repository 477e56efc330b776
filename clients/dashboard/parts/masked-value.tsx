import { useState } from 'react';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';

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

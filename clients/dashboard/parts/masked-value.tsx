import { useState } from 'react';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';

/** How many characters at the end stay visible. */
const shownEnd = 4;

/** A sensitive value: only its end is visible, the rest on request, with a copy button. */
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

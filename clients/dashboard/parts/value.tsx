import { useState } from 'react';
import { Button, CopyButton } from './button.tsx';

/** A technical value in full, with a copy button. */
export function Value({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <span className="value">
      <code className={text.startsWith('0x') ? 'hex' : undefined}>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  );
}

/** An address or hash for headings and lists. */
export function shortHex(hex: string): string {
  return shortParts(hex).join('');
}

function shortParts(hex: string): readonly [string, string] {
  return hex.length > 16 ? [`${hex.slice(0, 8)}…`, hex.slice(-6)] : [hex, ''];
}

/** A shortened address or hash, with the full text on hover and copy. */
export function Short({ hex }: { readonly hex: string }) {
  const [beginning, end] = shortParts(hex);
  return (
    <code title={hex} className="short">
      {beginning}
      {/* Where it breaks if it has to. */}
      <wbr />
      {end}
    </code>
  );
}

/** A sensitive value, or a URL that ends with one, with only the last four characters of the value. */
export function maskedText(text: string): string {
  return `${text.slice(0, text.lastIndexOf('/') + 1)}••••••••${text.slice(-4)}`;
}

/** A sensitive value: only its end is visible, the rest on request, with a copy button. */
export function MaskedValue({ text, what }: { readonly text: string; readonly what: string }) {
  const [isShown, setShown] = useState(false);
  return (
    <span className="value">
      <code>{isShown ? text : maskedText(text)}</code>
      <Button kind="quiet" label={isShown ? `Hide ${what}` : `Show ${what}`} onPress={() => setShown(!isShown)}>
        {isShown ? 'Hide' : 'Show'}
      </Button>
      <CopyButton text={text} what={what} />
    </span>
  );
}

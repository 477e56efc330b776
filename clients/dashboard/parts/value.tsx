import { CopyButton } from './copy-button.tsx';

/** A technical value in full, with a copy button. */
export function Value({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <span className="value">
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  );
}

import { CopyButton } from './copy-button.tsx';

/** A value of machines, in full, with a button that copies it. */
export function Value({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <span className="value">
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  );
}

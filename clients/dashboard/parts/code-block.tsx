import { CopyButton } from './button.tsx';

/** Code to copy. */
export function CodeBlock({ code, what }: { readonly code: string; readonly what: string }) {
  return (
    <div className="code-block">
      {/* It scrolls, so it must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the focus to be scrolled */}
      <section aria-label={what} tabIndex={0} className="code-scroll">
        <pre>
          <code>{code}</code>
        </pre>
      </section>
      <CopyButton text={code} what={what} />
    </div>
  );
}

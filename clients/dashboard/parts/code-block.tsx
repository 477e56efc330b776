import { useState } from 'react';
import { Button, CopyButton } from './button.tsx';
import { maskedText } from './value.tsx';

type CodeBlockProps = {
  readonly code: string;
  readonly what: string;
  /** A secret in the code: it is masked until someone asks for it, and always copied. */
  readonly secret?: string;
};

/** Code to copy. */
export function CodeBlock({ code, what, secret }: CodeBlockProps) {
  const [isShown, setShown] = useState(false);
  return (
    <div className="code-block">
      {/* It scrolls, so it must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the focus to be scrolled */}
      <section aria-label={what} tabIndex={0} className="code-scroll">
        <pre>
          <code>{isShown || secret === undefined ? code : code.replaceAll(secret, maskedText(secret))}</code>
        </pre>
      </section>
      <span className="code-actions">
        {secret === undefined ? null : (
          <Button
            kind="quiet"
            label={isShown ? `Hide the API key in ${what}` : `Show the API key in ${what}`}
            onPress={() => setShown(!isShown)}
          >
            {isShown ? 'Hide' : 'Show'}
          </Button>
        )}
        <CopyButton text={code} what={what} />
      </span>
    </div>
  );
}

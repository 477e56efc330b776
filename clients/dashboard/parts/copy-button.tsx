import { useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/** Copies a text. `what` names it for screen readers. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 2_000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState('copied');
    } catch {
      setState('failed');
    }
  };
  return (
    <span className="copy">
      <Button kind="quiet" label={`Copy ${what}`} onPress={copy}>
        <Icon name={state === 'copied' ? 'check' : 'copy'} />
      </Button>
      <span role="status" className="only-read">
        {state === 'copied' ? `${what} copied` : ''}
        {state === 'failed' ? 'Could not be copied: select the text and copy it' : ''}
      </span>
    </span>
  );
}

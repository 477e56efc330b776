import { CopyButton } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { handlerProgram } from './handler-program.ts';

const run = 'WEBHOOK_SECRET=whsec_… node webhook.mjs';

/** From nothing to a webhook that answers: its program to copy, and what to do with it. */
export function HandlerSteps() {
  return (
    <ol className="program">
      <li>
        <span>
          Save this as <code>webhook.mjs</code> on your server. It needs Node.js and no package.
        </span>
        <CodeBlock code={handlerProgram} what="Code of the webhook" />
      </li>
      <li>
        <span>Add its public URL here with “New webhook”, and show its signing secret.</span>
      </li>
      <li>
        <code>{run}</code>
        <CopyButton text={run} what="the command" />
      </li>
      <li>
        <span>Send a test call. The answer is no until your rule says yes to it.</span>
      </li>
      <li className="small muted">
        Until then nothing is sponsored: an active webhook that does not answer refuses every request. Pause it while
        you set it up.
      </li>
    </ol>
  );
}

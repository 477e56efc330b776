import type { DecisionItem } from '@tollfree/contract/decision-fields';
import { CodeBlock } from '../../parts/code-block.tsx';

/** The original request, ready to copy. */
export function RawRequest({ request }: { readonly request: NonNullable<DecisionItem['request']> }) {
  return (
    <details className="fold">
      <summary>
        <h3>Raw request</h3>
        <span className="muted">{request.method}, without tickets and other secrets</span>
      </summary>
      <div className="stack">
        <CodeBlock code={requestCode(request)} what="raw request" />
      </div>
    </details>
  );
}

/** The body of a JSON-RPC request. */
export function requestCode({ method, params }: NonNullable<DecisionItem['request']>): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }, null, 2);
}

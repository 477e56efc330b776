import type { PaymasterItem } from '@tollfree/contract/paymaster';
import type { ExplainSponsorshipRequest } from '@tollfree/contract/sponsorship';
import { useState } from 'react';
import { numberToHex } from 'viem';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { FieldForm } from '../../parts/field-form.tsx';
import { TextInput } from '../../parts/text-input.tsx';

/** Placeholder for secrets in a recorded request. */
const redacted = '[redacted]';

export type AskFormProps = { readonly isPending: boolean; readonly onAsk: (body: ExplainSponsorshipRequest) => void };

/** Takes a request in an application's form; `first` is the initial one. */
export function PasteForm({ isPending, onAsk, first = '' }: AskFormProps & { readonly first?: string | undefined }) {
  const paymaster = usePaymaster();
  const [text, setText] = useState(first);
  return (
    <FieldForm
      savesNothing
      action={{ isPending, error: null }}
      submit="Explain"
      onSubmit={() => {
        const read = readRequest(text, paymaster);
        if (read.ok) onAsk(read.body);
      }}
    >
      <TextInput
        label="Request"
        hint={
          text.includes(redacted)
            ? `Secrets were not kept. Replace or remove ${redacted} before you ask.`
            : 'The JSON-RPC body, its params, or the user operation alone.'
        }
        isRequired
        isCode
        rows={14}
        value={text}
        onChange={setText}
        check={(value) => {
          const read = readRequest(value, paymaster);
          return read.ok ? undefined : read.problem;
        }}
      />
    </FieldForm>
  );
}

type ReadRequest =
  | { readonly ok: true; readonly body: ExplainSponsorshipRequest }
  | { readonly ok: false; readonly problem: string };

/**
 * Parses the usual forms of a request: the JSON-RPC body, its `params`, or only the user operation. The service checks it.
 */
function readRequest(text: string, paymaster: PaymasterItem): ReadRequest {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { ok: false, problem: 'This is not JSON. Paste the body that your application sends to the RPC URL.' };
  }
  if (Array.isArray(json)) return { ok: true, body: { params: json } as ExplainSponsorshipRequest };
  if (typeof json !== 'object' || json === null) {
    return { ok: false, problem: 'This is neither a request nor a user operation.' };
  }
  if ('params' in json && Array.isArray(json.params)) {
    const { method, params } = json as { method?: string; params: unknown[] };
    return { ok: true, body: { ...(method === undefined ? {} : { method }), params } as ExplainSponsorshipRequest };
  }
  if ('sender' in json) return { ok: true, body: askFor(json, paymaster) };
  return { ok: false, problem: 'This has neither params nor a sender.' };
}

/** Asks whether a user operation would be sponsored, with the method that detects the type of account from the calls. */
export function askFor(operation: object, { chainId, contract }: PaymasterItem): ExplainSponsorshipRequest {
  const context = { mode: 'SPONSORED', calculateGasLimits: true };
  const params = [operation, contract?.entryPoint, numberToHex(chainId), context];
  return { method: 'pm_getPaymasterData', params } as ExplainSponsorshipRequest;
}

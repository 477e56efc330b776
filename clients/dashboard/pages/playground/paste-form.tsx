import type { ExplainSponsorshipRequest } from '@tollfree/contract/sponsorship';
import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { Button } from '../../parts/button.tsx';
import { TextInput } from '../../parts/text-input.tsx';
import { readRequest } from './read-request.ts';

/** Placeholder for secrets in a recorded request. */
const redacted = '[redacted]';

export type AskFormProps = { readonly isPending: boolean; readonly onAsk: (body: ExplainSponsorshipRequest) => void };

/** Takes a request in an application's form; `first` is the initial one. */
export function PasteForm({ isPending, onAsk, first = '' }: AskFormProps & { readonly first?: string | undefined }) {
  const [text, setText] = useState(first);
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        const read = readRequest(text);
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
          const read = readRequest(value);
          return read.ok ? undefined : read.problem;
        }}
      />
      <div className="actions">
        <Button type="submit" kind="primary" needs={['manage']} isPending={isPending}>
          Explain
        </Button>
      </div>
    </Form>
  );
}

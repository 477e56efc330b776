import type { ExplainSponsorshipRequest } from '@tollfree/contract/explain-sponsorship';
import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { Button } from '../../parts/button.tsx';
import { TextInput } from '../../parts/text-input.tsx';
import { readRequest } from './read-request.ts';

export type AskFormProps = { readonly isPending: boolean; readonly onAsk: (body: ExplainSponsorshipRequest) => void };

/** Takes a request as an application sends it. */
export function PasteForm({ isPending, onAsk }: AskFormProps) {
  const [text, setText] = useState('');
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
        hint="The JSON-RPC body, its params, or the user operation alone."
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

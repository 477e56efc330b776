import { useState } from 'react';
import { Card } from '../../parts/card.tsx';
import { TextInput } from '../../parts/text-input.tsx';
import { contentOf, type PolicyDraft } from './policy-draft.ts';

type PolicyJsonProps = { readonly draft: PolicyDraft; readonly onChange: (draft: PolicyDraft) => void };

/** The draft as JSON, as the API and policy files have it. What is no JSON yet changes nothing. */
export function PolicyJson({ draft, onChange }: PolicyJsonProps) {
  const [text, setText] = useState(() => JSON.stringify(contentOf(draft), null, 2));
  return (
    <Card
      title="Policy as JSON"
      lead="The preview and the bar below follow what you type. “tollfree policy set” takes the same."
    >
      <TextInput
        label="JSON"
        isCode
        rows={24}
        value={text}
        check={(typed) => (readObject(typed) === undefined ? 'This is no JSON object.' : undefined)}
        onChange={(typed) => {
          setText(typed);
          const read = readObject(typed);
          if (read !== undefined) onChange(read);
        }}
      />
    </Card>
  );
}

function readObject(text: string): PolicyDraft | undefined {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as PolicyDraft) : undefined;
  } catch {
    return undefined;
  }
}

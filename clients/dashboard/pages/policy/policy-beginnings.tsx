import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Choice } from '../../parts/choice.tsx';
import { FileInput } from '../../parts/file-input.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Problem } from '../../parts/problem.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import type { PolicyDraft } from './policy-fields.tsx';
import { policyTemplates } from './policy-templates.ts';
import { readPolicyFile } from './read-policy-file.ts';

const none = '';

type PolicyBeginningsProps = {
  readonly draft: PolicyDraft;
  readonly onBegin: (draft: PolicyDraft) => void;
};

/** Fills the form from a template or a file, without saving. */
export function PolicyBeginnings({ draft, onBegin }: PolicyBeginningsProps) {
  const { paymasterId } = usePaymaster();
  const [problem, setProblem] = useState<Error>();
  const [chosen, setChosen] = useState(none);
  const [named, setNamed] = useState(0);
  const take = (text: string) => {
    const file = readPolicyFile(text);
    setProblem(file === undefined ? new Error('This file holds no policy.') : undefined);
    setNamed(file?.named.length ?? 0);
    if (file !== undefined) onBegin(file.policy);
  };
  const template = policyTemplates.find(({ name }) => name === chosen);
  return (
    <div className="stack">
      <div className="form-row">
        <Choice
          label="Start from a template"
          hint={template?.text ?? 'It fills in the form. Nothing is saved until you save it.'}
          value={chosen}
          options={[
            { value: none, text: 'No template' },
            ...policyTemplates.map(({ name }) => ({ value: name, text: name })),
          ]}
          onChange={(name) => {
            setChosen(name);
            const fields = policyTemplates.find((each) => each.name === name)?.fields;
            if (fields !== undefined) onBegin({ ...draft, ...fields });
          }}
        />
        <FileInput
          label="Import a file"
          hint="A policy as JSON, or a file of “tollfree policy export”."
          accept=".json,application/json"
          onText={take}
        />
      </div>
      {named === 0 ? null : (
        <Notice>
          The form has the file’s default policy. To take its named policies too ({named}), import the file on the page{' '}
          <Link to="/paymasters/$paymasterId/policies" params={{ paymasterId }}>
            Named policies
          </Link>
          .
        </Notice>
      )}
      <Problem error={problem} />
    </div>
  );
}

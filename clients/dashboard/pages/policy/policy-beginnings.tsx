import { useState } from 'react';
import { Choice } from '../../parts/choice.tsx';
import { Problem } from '../../parts/problem.tsx';
import type { PolicyDraft } from './policy-fields.tsx';
import { policyTemplates } from './policy-templates.ts';

const none = '';

export type PolicyBeginningsProps = {
  readonly draft: PolicyDraft;
  readonly onBegin: (draft: PolicyDraft) => void;
};

/** Fills the form from a template, or from a file. Nothing is saved by it. */
export function PolicyBeginnings({ draft, onBegin }: PolicyBeginningsProps) {
  const [problem, setProblem] = useState<Error>();
  const [chosen, setChosen] = useState(none);
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    const policy = readPolicyFile(await file.text());
    setProblem(policy === undefined ? new Error('This file holds no policy.') : undefined);
    if (policy !== undefined) onBegin(policy);
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
        <label className="field">
          <span className="label">Import a file</span>
          <input
            type="file"
            accept=".json,application/json"
            onChange={({ target }) => {
              void take(target.files?.[0]);
              target.value = '';
            }}
          />
          <span className="hint">A policy as JSON, or a file of “tollfree policy export”.</span>
        </label>
      </div>
      <Problem error={problem} />
    </div>
  );
}

/** The default policy of a file with all policies, or a policy alone; undefined for anything else. */
function readPolicyFile(text: string): PolicyDraft | undefined {
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
    const inside = 'policy' in json ? json.policy : json;
    return typeof inside === 'object' && inside !== null && !Array.isArray(inside)
      ? (inside as PolicyDraft)
      : undefined;
  } catch {
    return undefined;
  }
}

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { PolicyItem } from '@tollfree/contract/policy';
import { useState } from 'react';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Choice } from '../../parts/choice.tsx';
import { Notice, Problem } from '../../parts/problem.tsx';
import { FileInput } from '../../parts/text-input.tsx';
import type { PolicyDraft } from './policy-draft.ts';
import { policyTemplates, withTemplate } from './policy-templates.ts';
import { recentCostsQuery } from './recent-costs-query.ts';

const none = '';

type PolicyBeginningsProps = {
  /** The policy in force. */
  readonly policy: PolicyItem;
  readonly draft: PolicyDraft;
  readonly onBegin: (draft: PolicyDraft) => void;
};

/** Fills the form from a template or a file, without saving. */
export function PolicyBeginnings({ policy, draft, onBegin }: PolicyBeginningsProps) {
  const paymaster = usePaymaster();
  const { paymasterId } = paymaster;
  const { data: costs } = useQuery(recentCostsQuery(paymaster));
  const [problem, setProblem] = useState<Error>();
  const [chosen, setChosen] = useState(none);
  const [named, setNamed] = useState(0);
  const take = (text: string) => {
    const file = readPolicyFile(text);
    setProblem(file === undefined ? new Error('This file holds no policy.') : undefined);
    setNamed(file?.named.length ?? 0);
    if (file !== undefined) onBegin(file.policy);
  };
  const templates = policyTemplates(costs);
  const template = templates.find(({ name }) => name === chosen);
  return (
    <details className="fold" open={problem !== undefined || named > 0 ? true : undefined}>
      <summary>
        <h2>Start over</h2>
        <span className="muted">from a template or a file</span>
      </summary>
      <div className="form-row">
        <Choice
          label="Start from a template"
          hint={
            template === undefined
              ? 'It replaces what is sponsored and the limits in the form. Nothing is saved until you save it.'
              : `${template.text} It replaces what was there; senders, schedule and tokens stay.`
          }
          value={chosen}
          options={[
            { value: none, text: 'No template' },
            ...templates.map(({ name }) => ({ value: name, text: name })),
          ]}
          onChange={(name) => {
            setChosen(name);
            onBegin(withTemplate(draft, templates.find((each) => each.name === name)?.fields ?? policy));
          }}
        />
        <FileInput
          label="Import a file"
          hint="A policy as JSON, or a file from “tollfree policy export”."
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
    </details>
  );
}

/** A named policy in a file. The service validates it. */
export type FilePolicy = { readonly name: string } & Readonly<Record<string, unknown>>;

/** The policies in a file: the default one, and the named ones if listed. */
type PolicyFileContents = { readonly policy: PolicyDraft; readonly named: readonly FilePolicy[] };

/** Parses a file with all policies, or with one; undefined for anything else. */
export function readPolicyFile(text: string): PolicyFileContents | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(json)) return undefined;
  if (!('policy' in json)) return { policy: json, named: [] };
  const { policy, policies = [] } = json;
  if (!isObject(policy) || !Array.isArray(policies) || !policies.every(isNamed)) return undefined;
  return { policy, named: policies };
}

function isNamed(value: unknown): value is FilePolicy {
  return isObject(value) && typeof value.name === 'string' && isObject(value.policy);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { Link } from '@tanstack/react-router';
import type { PolicyItem } from '@tollfree/contract/policy';
import { useState } from 'react';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Choice } from '../../parts/choice.tsx';
import { Notice, Problem } from '../../parts/problem.tsx';
import { FileInput } from '../../parts/text-input.tsx';
import type { PolicyDraft } from './policy-fields.tsx';

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
    </div>
  );
}

type PolicyTemplate = {
  readonly name: string;
  readonly text: string;
  /** The fields that it sets; all others stay unchanged. */
  readonly fields: Partial<PolicyItem>;
};

const limit = (
  per: PolicyItem['limits'][number]['per'],
  window: PolicyItem['limits'][number]['window'],
  unit: PolicyItem['limits'][number]['unit'],
  max: string,
) => ({ per, window, unit, max });

/** Templates for most applications. */
const policyTemplates: readonly PolicyTemplate[] = [
  {
    name: 'Careful start',
    text: '10 operations per sender and day, $0.50 each, $50 a day in all.',
    fields: {
      maxCostPerOperation: { usd: '0.50' },
      limits: [limit('SENDER', 'DAY', 'OPERATIONS', '10'), limit('TOTAL', 'DAY', 'USD', '50')],
    },
  },
  {
    name: 'Campaign',
    text: '3 operations per sender, account deployment included, $250 a week in all.',
    fields: {
      allowAccountDeployment: true,
      limits: [limit('SENDER', 'EVER', 'OPERATIONS', '3'), limit('TOTAL', 'WEEK', 'USD', '250')],
    },
  },
  {
    name: 'A few for free, then a token',
    text: '3 operations per sender, after that users pay in a token.',
    fields: { limits: [limit('SENDER', 'EVER', 'OPERATIONS', '3')], thenPayInToken: true },
  },
  {
    name: 'Signed-in users only',
    text: 'Every request needs a ticket; 20 operations per user and day.',
    fields: { requireTicket: true, limits: [limit('SUBJECT', 'DAY', 'OPERATIONS', '20')] },
  },
  {
    name: 'Everything, for tests',
    text: 'Any contract and any account. Only for test networks.',
    fields: { sponsorAllCalls: true, accounts: 'ANY', allowAccountDeployment: true },
  },
];

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

import { useState } from 'react';
import { type FieldSchema, policySchema } from './field-schema.ts';
import type { PolicyDraft } from './policy-draft.ts';
import { SchemaField } from './schema-field.tsx';

/** The fields by topic. Fields in none of these groups come last. */
const groups = [
  {
    title: 'What to sponsor',
    names: ['sponsorAllCalls', 'allowAccountDeployment', 'allowRevertingOperations', 'relay', 'callRules'],
  },
  { title: 'Senders', names: ['accounts', 'requireTicket', 'allowedSenders', 'blockedSenders'] },
  {
    title: 'Limits',
    names: [
      'limits',
      'maxCostPerOperation',
      'maxGasPerOperation',
      'methodGas',
      'maxPreVerificationGas',
      'maxFeePerGas',
    ],
  },
  { title: 'Schedule', names: ['notBefore', 'notAfter', 'pauses', 'maxValiditySeconds'] },
  { title: 'Payment in tokens', names: ['tokens', 'userPaysPercent', 'thenPayInToken'] },
] as const;

const grouped: ReadonlySet<string> = new Set(groups.flatMap(({ names }) => names));

type PolicyFieldsProps = {
  readonly draft: PolicyDraft;
  /** Fields that do not apply to this policy. */
  readonly omit: readonly string[];
  readonly onChange: (draft: PolicyDraft) => void;
};

/** All settings of a policy, in collapsible sections. */
export function PolicyFields({ draft, omit, onChange }: PolicyFieldsProps) {
  const properties = policySchema.properties ?? {};
  const others = Object.keys(properties).filter((name) => !grouped.has(name));
  return [...groups, { title: 'Other', names: others }].map(({ title, names }, index) => {
    const fields = names.flatMap((name) => {
      const schema = omit.includes(name) ? undefined : properties[name];
      return schema === undefined ? [] : [[name, schema] as const];
    });
    return <Group key={title} {...{ title, fields, draft, onChange }} opensFirst={index === 0} />;
  });
}

type GroupProps = Pick<PolicyFieldsProps, 'draft' | 'onChange'> & {
  readonly title: string;
  readonly fields: readonly (readonly [name: string, schema: FieldSchema])[];
  readonly opensFirst: boolean;
};

function Group({ title, fields, draft, onChange, opensFirst }: GroupProps) {
  const [isOpen, setOpen] = useState(opensFirst);
  if (fields.length === 0) return null;
  const set = fields.filter(([name, schema]) => isSet(draft[name], schema.default)).length;
  return (
    <details className="fold" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <h3>{title}</h3>
        <span className="muted">{set === 0 ? 'Nothing set' : `${set} set`}</span>
      </summary>
      <div className="form">
        {isOpen
          ? fields.map(([name, schema]) => (
              <SchemaField
                key={name}
                name={name}
                schema={schema}
                value={draft[name]}
                onChange={(value) => onChange({ ...draft, [name]: value })}
              />
            ))
          : null}
      </div>
    </details>
  );
}

/** Whether a field differs from its default. */
function isSet(value: unknown, usual: unknown): boolean {
  if (value === undefined || value === '') return false;
  if (Array.isArray(value)) return value.length > 0 || usual === undefined;
  return JSON.stringify(value) !== JSON.stringify(usual);
}

import { useId } from 'react';
import type { FieldSchema } from './field-schema.ts';
import { policySchema } from './field-schema.ts';
import { SchemaField } from './schema-field.tsx';

export type PolicyDraft = Readonly<Record<string, unknown>>;

/** The fields by what they are about. A field that is in none of these is among the others, at the end. */
const groups = [
  {
    title: 'What to sponsor',
    names: ['sponsorAllCalls', 'allowAccountDeployment', 'allowRevertingOperations', 'callRules'],
  },
  { title: 'Senders', names: ['accounts', 'requireTicket', 'allowedSenders', 'blockedSenders'] },
  {
    title: 'Limits',
    names: ['limits', 'maxCostPerOperation', 'maxGasPerOperation', 'maxPreVerificationGas', 'maxFeePerGas'],
  },
  { title: 'Schedule', names: ['notBefore', 'notAfter', 'pauses', 'maxValiditySeconds'] },
  { title: 'Payment in tokens', names: ['tokens', 'userPaysPercent', 'thenPayInToken'] },
] as const;

const grouped: ReadonlySet<string> = new Set(groups.flatMap(({ names }) => names));

export type PolicyFieldsProps = {
  readonly draft: PolicyDraft;
  /** Fields that mean nothing for this policy. */
  readonly omit: readonly string[];
  readonly onChange: (draft: PolicyDraft) => void;
};

/** All that can be set in a policy. */
export function PolicyFields({ draft, omit, onChange }: PolicyFieldsProps) {
  const properties = policySchema.properties ?? {};
  const others = Object.keys(properties).filter((name) => !grouped.has(name));
  return [...groups, { title: 'Other', names: others }].map(({ title, names }) => {
    const fields = names.flatMap((name) => {
      const schema = omit.includes(name) ? undefined : properties[name];
      return schema === undefined ? [] : [[name, schema] as const];
    });
    return <Group key={title} {...{ title, fields, draft, onChange }} />;
  });
}

type GroupProps = Pick<PolicyFieldsProps, 'draft' | 'onChange'> & {
  readonly title: string;
  readonly fields: readonly (readonly [name: string, schema: FieldSchema])[];
};

function Group({ title, fields, draft, onChange }: GroupProps) {
  const id = useId();
  if (fields.length === 0) return null;
  return (
    <section className="form form-group" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {fields.map(([name, schema]) => (
        <SchemaField
          key={name}
          name={name}
          schema={schema}
          value={draft[name]}
          onChange={(value) => onChange({ ...draft, [name]: value })}
        />
      ))}
    </section>
  );
}

import { type ApiKeyRulesItem, ApiKeyRulesSchema } from '@tollfree/contract/api-key-rules';
import { maxNameLength } from '@tollfree/contract/limits';
import { useState } from 'react';
import { z } from 'zod';
import { DocLink } from '../../parts/doc-link.tsx';
import { FieldForm, type FieldFormProps } from '../../parts/field-form.tsx';
import { TextInput } from '../../parts/text-input.tsx';
import { type FieldSchema, withoutEmpty } from '../policy/field-schema.ts';
import { SchemaField } from '../policy/schema-field.tsx';

const { properties, ...whole } = z.toJSONSchema(ApiKeyRulesSchema, {
  io: 'input',
  unrepresentable: 'any',
}) as FieldSchema;
const item = properties?.limits?.items;

/** The contract's schema of an apiKey's rules. Limits apply to all users of the key together. */
const keyRulesSchema: FieldSchema = {
  ...whole,
  properties: {
    ...properties,
    limits: {
      ...properties?.limits,
      items: { ...item, properties: { ...item?.properties, per: { ...item?.properties?.per, enum: ['TOTAL'] } } },
    },
  },
};

export type KeySettings = { readonly name: string; readonly rules: ApiKeyRulesItem };

type KeySettingsFormProps = {
  /** The current settings; absent for a new key. */
  readonly settings?: KeySettings;
  readonly onSubmit: (settings: KeySettings) => void;
} & Pick<FieldFormProps, 'action' | 'submit'>;

/** The form for an apiKey's name and rules. */
export function KeySettingsForm({ settings, submit, action, onSubmit }: KeySettingsFormProps) {
  const [name, setName] = useState(settings?.name ?? '');
  const [rules, setRules] = useState<Readonly<Record<string, unknown>>>(settings?.rules ?? {});
  return (
    <FieldForm
      action={action}
      submit={submit}
      onSubmit={() => {
        // The service validates the rules.
        onSubmit({ name: name.trim(), rules: (withoutEmpty(rules, keyRulesSchema) ?? {}) as ApiKeyRulesItem });
      }}
    >
      <TextInput
        label="Name"
        hint="What uses it, such as “web shop” or “phone app”."
        isRequired
        maxLength={maxNameLength}
        value={name}
        onChange={setName}
      />
      <details open={settings !== undefined}>
        <summary>Restrictions (without any, only the policy applies)</summary>
        <div className="details-body form">
          <p className="hint">
            <DocLink to="countedLimits" />
          </p>
          {Object.entries(keyRulesSchema.properties ?? {}).map(([key, schema]) => (
            <SchemaField
              key={key}
              name={key}
              schema={schema}
              value={rules[key]}
              onChange={(value) => setRules({ ...rules, [key]: value })}
            />
          ))}
        </div>
      </details>
    </FieldForm>
  );
}

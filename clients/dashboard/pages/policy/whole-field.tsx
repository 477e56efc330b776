import { useState } from 'react';
import { type RulesProps, Undo, useFieldChange, Was } from './changed-rule.tsx';
import { labelOf } from './field-names.ts';
import { policySchema } from './field-schema.ts';
import { SchemaField } from './schema-field.tsx';

/** A field that is too long for a sentence, rendered by its schema. */
export function WholeField({ name, ...props }: RulesProps & { readonly name: string }) {
  // Fields keep typed text, so one that is undone needs a new form.
  const [undone, setUndone] = useState(0);
  const { draft, onChange } = props;
  const change = useFieldChange(props, [name]);
  const schema = policySchema.properties?.[name];
  if (schema === undefined) return null;
  const undo = () => {
    change?.undo();
    setUndone(undone + 1);
  };
  return (
    <div className={change === undefined ? undefined : 'field-changed'}>
      <SchemaField
        key={undone}
        name={name}
        schema={schema}
        value={draft[name]}
        onChange={(value) => onChange({ ...draft, [name]: value })}
      />
      {change === undefined ? null : (
        <div className="row">
          <Was text={change.was} />
          <Undo what={labelOf(name)} onPress={undo} />
        </div>
      )}
    </div>
  );
}

import { type ComponentType, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Check } from '../../parts/choice.tsx';
import { TextInput } from '../../parts/text-input.tsx';
import { withUnit } from './amount-text.ts';
import { labelOf, valueNames } from './field-names.ts';
import { type FieldSchema, hintOf, type SchemaFieldProps } from './field-schema.ts';

type ListFieldProps = SchemaFieldProps & {
  /** Renders one field of a group. */
  readonly Field: ComponentType<SchemaFieldProps>;
};

/** A field with several values: lines of text, checkboxes, or groups of fields. */
export function ListField(props: ListFieldProps) {
  const { items } = props.schema;
  if (items?.enum !== undefined) return <TickList {...props} choices={items.enum} />;
  if (items?.type === 'object') return <GroupList {...props} item={items} />;
  return props.schema.default === undefined ? <OptionalLines {...props} /> : <Lines {...props} />;
}

function TickList({
  name,
  schema,
  value,
  onChange,
  choices,
}: SchemaFieldProps & { readonly choices: readonly string[] }) {
  const chosen = Array.isArray(value) ? value : [];
  const hint = hintOf(name, schema);
  return (
    <fieldset>
      <legend className="label">{labelOf(name)}</legend>
      {hint === undefined ? null : <p className="hint">{hint}</p>}
      <div className="actions">
        {choices.map((choice) => (
          <Check
            key={choice}
            isSelected={chosen.includes(choice)}
            onChange={(isOn) => onChange(choices.filter((each) => (each === choice ? isOn : chosen.includes(each))))}
          >
            {valueNames[choice] ?? choice}
          </Check>
        ))}
      </div>
    </fieldset>
  );
}

/** An optional list; absent and empty differ. */
function OptionalLines(props: SchemaFieldProps) {
  const { name, value, onChange, schema } = props;
  const isOn = value !== undefined;
  return (
    <div className="stack">
      <Check isSelected={isOn} onChange={(next) => onChange(next ? [] : undefined)}>
        {labelOf(name)}
        <div className="hint">{hintOf(name, schema)}</div>
      </Check>
      {isOn ? <Lines {...props} /> : null}
    </div>
  );
}

/** What a line of a list contains, if it is not an address. */
const lineWords: Readonly<Record<string, string>> = { in: 'value', origins: 'page', networks: 'address or range' };

function Lines({ name, value, onChange, schema }: SchemaFieldProps) {
  const [text, setText] = useState(() => (Array.isArray(value) ? value.join('\n') : ''));
  return (
    <TextInput
      label={`${labelOf(name)}, one ${lineWords[name] ?? 'address'} a line`}
      hint={hintOf(name, schema)}
      rows={3}
      isCode
      value={text}
      onChange={(next) => {
        setText(next);
        onChange(next.split(name === 'in' ? /\n/ : /[\s,]+/).filter((line) => line !== ''));
      }}
    />
  );
}

function GroupList({ name, value, onChange, schema, item, Field }: ListFieldProps & { readonly item: FieldSchema }) {
  const groups: readonly unknown[] = Array.isArray(value) ? value : [];
  const title = labelOf(name);
  return (
    <fieldset className="stack">
      <legend>{title}</legend>
      <p className="hint">{hintOf(name, schema)}</p>
      {groups.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no other name, and every field takes its value from here
        <div key={index} className="rule form">
          <div className="form-row">
            {shownFields(item).map(([key, each]) => (
              <Field
                key={key}
                name={key}
                schema={each}
                value={(group as Group)[key]}
                group={group as Group}
                onChange={(next) => onChange(groups.with(index, withField(group as Group, key, next)))}
              />
            ))}
          </div>
          <div className="actions">
            <Button
              label={`Remove ${title.toLowerCase()} ${index + 1}`}
              onPress={() => onChange(groups.filter((_, each) => each !== index))}
            >
              Remove
            </Button>
          </div>
        </div>
      ))}
      <div>
        <Button label={`Add to ${title.toLowerCase()}`} onPress={() => onChange([...groups, firstValues(item)])}>
          Add
        </Button>
      </div>
    </fieldset>
  );
}

type Group = Readonly<Record<string, unknown>>;

function withField(group: Group, key: string, value: unknown): Group {
  return key === 'unit' ? withUnit(group, value) : { ...group, [key]: value };
}

/** Hides fields with a single possible value. */
function shownFields({ properties = {} }: FieldSchema) {
  return Object.entries(properties).filter(([, { enum: choices }]) => choices?.length !== 1);
}

/** A new group with the first of each choice, so that the shown values are the sent ones. */
function firstValues({ properties = {} }: FieldSchema): Readonly<Record<string, unknown>> {
  const values = Object.entries(properties).map(([key, { enum: choices, type }]) => {
    return [key, type === 'array' ? [] : choices?.[0]] as const;
  });
  return Object.fromEntries(values);
}

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readAbi } from '../../abi/read-abi.ts';
import { contractsQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { useWhyNot } from '../../api/use-why-not.ts';
import { Check, Choice } from '../../parts/choice.tsx';
import { withCoinName } from '../../parts/text/chain-name.ts';
import { TextInput } from '../../parts/text-input.tsx';
import { MomentInput } from '../../parts/time-input.tsx';
import { amountText, isAmount, readAmount } from './amount-text.ts';
import { labelOf, valueNames } from './field-names.ts';
import { hintOf, type SchemaFieldProps } from './field-schema.ts';
import { ListField } from './list-field.tsx';

/** A field of a policy, rendered by its schema. */
export function SchemaField({ name, schema, value, onChange, group }: SchemaFieldProps) {
  const { chainId } = usePaymaster();
  const label = withCoinName(labelOf(name), chainId);
  const hint = withCoinName(hintOf(name, schema) ?? '', chainId) || undefined;
  if (name === 'contract') return <ContractField label={label} value={value} onChange={onChange} />;
  if (name === 'method')
    return <MethodField label={label} value={value} onChange={onChange} contract={group?.contract} />;
  if (name === 'wei' || (name === 'max' && group?.unit === 'WEI')) {
    return <AmountField label={label} hint={hint} value={value} onChange={onChange} decimals={18} />;
  }
  if (name === 'maxFeePerGas')
    return <AmountField label={label} hint={hint} value={value} onChange={onChange} decimals={9} />;
  if (schema.type === 'boolean') {
    return (
      <Check isSelected={(value ?? schema.default) === true} onChange={onChange}>
        {label}
        {hint === undefined ? null : <div className="hint">{hint}</div>}
      </Check>
    );
  }
  if (schema.enum !== undefined) {
    const chosen = String(value ?? schema.default ?? schema.enum[0]);
    // The current value may be known to the service but not yet to this page.
    const values = [...new Set([...schema.enum, chosen])];
    const options = values.map((each) => ({ value: each, text: withCoinName(valueNames[each] ?? each, chainId) }));
    return <Choice label={label} hint={hint} value={chosen} options={options} onChange={onChange} />;
  }
  if (schema.type === 'array') {
    return <ListField name={name} schema={schema} value={value} onChange={onChange} Field={SchemaField} />;
  }
  if (schema.type === 'object') return <GroupField name={name} schema={schema} value={value} onChange={onChange} />;
  if (name === 'notBefore' || name === 'notAfter')
    return <MomentInput label={label} at={typeof value === 'number' ? value : undefined} onAt={onChange} />;
  const isNumber = schema.type === 'integer';
  return (
    <TextInput
      label={label}
      hint={hint}
      value={value === undefined ? '' : String(value)}
      numeric={isNumber}
      onChange={(text) => onChange(text === '' ? undefined : isNumber && /^\d+$/.test(text) ? Number(text) : text)}
    />
  );
}

function GroupField({ name, schema, value, onChange }: SchemaFieldProps) {
  const fields = (value ?? {}) as Readonly<Record<string, unknown>>;
  const whyNot = useWhyNot(['funds']);
  // The service lets no one else change the token receiver.
  const properties = Object.entries(schema.properties ?? {}).filter(
    ([key]) => key !== 'tokenRecipient' || whyNot === undefined,
  );
  const hint = hintOf(name, schema);
  // The description is hidden if the fields already say it.
  const isSaid = properties.every(([key, each]) => hintOf(key, each) !== undefined);
  return (
    <fieldset className="rule">
      <legend className="only-read">{labelOf(name)}</legend>
      <p className="label" aria-hidden="true">
        {labelOf(name)}
      </p>
      {hint === undefined || isSaid ? null : <p className="hint">{hint}</p>}
      <div className="form">
        {properties.map(([key, each]) => (
          <SchemaField
            key={key}
            name={key}
            schema={each}
            value={fields[key]}
            onChange={(next) => onChange({ ...fields, [key]: next })}
          />
        ))}
      </div>
    </fieldset>
  );
}

type AmountFieldProps = {
  readonly label: string;
  readonly hint?: string | undefined;
  /** Wei in decimal digits. */
  readonly value: unknown;
  /** Decimals of the typed unit: 18 for the coin, 9 for gwei. */
  readonly decimals: 9 | 18;
  readonly onChange: (value: string | undefined) => void;
};

/** An amount of wei, typed in a readable unit. Invalid text is sent unchanged, and the service refuses it. */
function AmountField({ label, hint, value, decimals, onChange }: AmountFieldProps) {
  const [text, setText] = useState(() => amountText(value, decimals));
  return (
    <TextInput
      label={label}
      hint={hint}
      value={text}
      check={(typed) => (typed === '' || isAmount(typed, decimals) ? undefined : 'Write an amount like 0.05.')}
      onChange={(typed) => {
        setText(typed);
        if (typed.trim() === '') onChange(undefined);
        else onChange(readAmount(typed, decimals));
      }}
    />
  );
}

type PickedFieldProps = {
  readonly label: string;
  readonly value: unknown;
  /** The contract in the adjacent field. */
  readonly contract?: unknown;
  readonly onChange: (value: string | undefined) => void;
};

const none = '';

/** Selects a registered contract. A current value that is not registered remains selectable. */
function ContractField({ label, value, onChange }: PickedFieldProps) {
  const { data = [] } = useQuery(contractsQuery(usePaymaster()));
  const chosen = typeof value === 'string' ? value : none;
  const known = data.find(({ address }) => address.toLowerCase() === chosen.toLowerCase());
  return (
    <Choice
      label={label}
      value={known?.address ?? chosen}
      options={[
        { value: none, text: 'None' },
        ...data.map(({ address, name }) => ({ value: address, text: name })),
        ...(known === undefined && chosen !== none ? [{ value: chosen, text: chosen }] : []),
      ]}
      onChange={(next) => onChange(next === none ? undefined : next)}
    />
  );
}

/** Selects a method of the contract in the adjacent field. */
function MethodField({ label, value, contract, onChange }: PickedFieldProps) {
  const { data = [] } = useQuery(contractsQuery(usePaymaster()));
  const chosen = typeof value === 'string' ? value : none;
  const of = data.find(({ address }) => address.toLowerCase() === String(contract ?? '').toLowerCase());
  const read = readAbi(of?.abi ?? '');
  const methods = (read.ok ? read.methods : []).filter(({ whyNot }) => whyNot === undefined);
  const isKnown = methods.some(({ signature }) => signature === chosen);
  return (
    <Choice
      label={label}
      value={chosen}
      options={[
        { value: none, text: of === undefined ? 'Choose a contract first' : 'None' },
        ...methods.map(({ signature }) => ({ value: signature, text: signature })),
        ...(isKnown || chosen === none ? [] : [{ value: chosen, text: chosen }]),
      ]}
      onChange={(next) => onChange(next === none ? undefined : next)}
    />
  );
}

import { useQuery } from '@tanstack/react-query';
import { readAbi } from '../../abi/read-abi.ts';
import { contractsQuery } from '../../api/of-paymaster.ts';
import { Choice } from '../../parts/choice.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';

type PickedFieldProps = {
  readonly label: string;
  readonly value: unknown;
  /** The contract in the adjacent field. */
  readonly contract?: unknown;
  readonly onChange: (value: string | undefined) => void;
};

const none = '';

/** Selects a registered contract. A current value that is not registered remains selectable. */
export function ContractField({ label, value, onChange }: PickedFieldProps) {
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
export function MethodField({ label, value, contract, onChange }: PickedFieldProps) {
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

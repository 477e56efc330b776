import { useMutation } from '@tanstack/react-query';
import { maxNameLength } from '@tollfree/contract/limits';
import type { RegisterSmartContractRequest } from '@tollfree/contract/smart-contract';
import { type DragEvent, useMemo, useState } from 'react';
import { readAbi } from '../../abi/read-abi.ts';
import { headersOf } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Button } from '../../parts/button.tsx';
import { FieldForm } from '../../parts/field-form.tsx';
import { Notice, Problem } from '../../parts/problem.tsx';
import { TextInput } from '../../parts/text-input.tsx';
import { toast } from '../../parts/toast.tsx';
import { Short } from '../../parts/value.tsx';
import type { NotedChange } from './change-notes.tsx';
import { MethodPicker } from './method-picker.tsx';

const nothing: ReadonlySet<string> = new Set();

/** Registers a contract with its sponsored methods. `address` is the initial address. */
export function ContractForm({
  address: given,
  onChanged,
  onDone,
}: {
  readonly address: string;
  readonly onDone: () => void;
  readonly onChanged: (noted: NotedChange) => void;
}) {
  const paymaster = usePaymaster();
  const [name, setName] = useState('');
  const [address, setAddress] = useState(given);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(nothing);
  const read = useMemo(() => readAbi(text), [text]);
  const takeAbi = (next: string) => {
    setText(next);
    setChosen(nothing);
  };
  const register = useMutation({
    mutationFn: (body: RegisterSmartContractRequest) =>
      routes.smartContract.register({ headers: headersOf(paymaster), body }),
    onSuccess: (changed) => {
      onChanged(changed ?? {});
      toast(`Contract “${name}” registered.`);
      onDone();
    },
  });
  return (
    <FieldForm
      action={register}
      submit="Register contract"
      isDisabled={!read.ok}
      onSubmit={() => {
        if (read.ok) register.mutate({ name, address: address.trim(), abi: read.abi, whitelistedMethods: [...chosen] });
      }}
    >
      <div className="form-row">
        <TextInput label="Name" name="name" isRequired maxLength={maxNameLength} value={name} onChange={setName} />
        <TextInput
          label="Address"
          name="address"
          placeholder="0x…"
          isRequired
          isCode
          value={address}
          onChange={setAddress}
          check={(value) =>
            /^0x[0-9a-fA-F]{40}$/.test(value.trim()) ? undefined : 'An address is 0x and 40 hex digits.'
          }
        />
      </div>
      <FetchAbiButton address={address.trim()} onFetched={takeAbi} />
      <AbiInput value={text} onChange={takeAbi} />
      {read.ok || text === '' ? null : <Notice kind="bad">{read.problem}</Notice>}
      {read.ok ? <MethodPicker methods={read.methods} chosen={chosen} onChange={setChosen} /> : null}
      {read.ok && chosen.size === 0 ? <p className="muted">Without a method, no call to it is sponsored.</p> : null}
    </FieldForm>
  );
}

type FetchAbiButtonProps = { readonly address: string; readonly onFetched: (abi: string) => void };

/** Lets the service fetch the ABI of the contract at an address from its explorer. */
function FetchAbiButton({ address, onFetched }: FetchAbiButtonProps) {
  const paymaster = usePaymaster();
  const fetchAbi = useMutation({
    meta: { onlyReads: true },
    mutationFn: (asked: string) =>
      routes.smartContract.fetchAbi({ headers: headersOf(paymaster), params: { address: asked } }),
    onSuccess: ({ abi }) => onFetched(abi),
  });
  const { data, error } = fetchAbi;
  const isStillAsked = fetchAbi.variables === address;
  return (
    <div className="stack">
      <div className="actions">
        <Button
          isDisabled={!/^0x[0-9a-fA-F]{40}$/.test(address)}
          isPending={fetchAbi.isPending}
          onPress={() => fetchAbi.mutate(address)}
        >
          Fetch the ABI from the explorer
        </Button>
      </div>
      <div role="status">
        {isStillAsked && data?.implementation !== undefined ? (
          <Notice kind="good">
            This contract is a proxy. The methods are those of <Short hex={data.implementation} />, until its owner
            changes it.
          </Notice>
        ) : null}
      </div>
      <Problem error={isStillAsked ? error : null} />
    </div>
  );
}

type AbiInputProps = { readonly value: string; readonly onChange: (text: string) => void };

/** An input for an ABI: pasted, dropped as a file, or chosen as one. */
function AbiInput({ value, onChange }: AbiInputProps) {
  const [isOver, setOver] = useState(false);
  const take = async (file: File | undefined) => {
    if (file !== undefined) onChange(await file.text());
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one way of three, the other two have controls
    <div
      className="drop stack"
      data-over={isOver}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void take(event.dataTransfer.files[0]);
      }}
    >
      <TextInput
        label="ABI"
        hint="Paste the JSON, or drop the compiler’s output file here."
        isRequired
        isCode
        rows={6}
        value={value}
        onChange={onChange}
      />
      <label className="small">
        Or choose a file:{' '}
        <input
          type="file"
          accept=".json,.abi,application/json"
          onChange={({ target }) => {
            void take(target.files?.[0]);
            target.value = '';
          }}
        />
      </label>
    </div>
  );
}

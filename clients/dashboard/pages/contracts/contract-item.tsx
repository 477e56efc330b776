import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SmartContractItem } from '@tollfree/contract/smart-contract';
import { useMemo, useState } from 'react';
import { isWhitelisted, readAbi } from '../../abi/read-abi.ts';
import { contractsQuery, headersOf } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { ifMatch, useSave } from '../../api/use-save.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Notice, Problem } from '../../parts/problem.tsx';
import { RecentUse, useRecentUse } from '../../parts/recent-use.tsx';
import { Value } from '../../parts/value.tsx';
import type { NotedChange } from './change-notes.tsx';
import { MethodPicker } from './method-picker.tsx';

/** A registered contract, whose methods can be changed, and which can be deleted. */
export function ContractItem({
  contract,
  onChanged,
}: {
  readonly contract: SmartContractItem;
  readonly onChanged: (noted: NotedChange) => void;
}) {
  const { name, address, whitelistedMethods, callsBack = [] } = contract;
  const paymaster = usePaymaster();
  const use = useRecentUse('contract');
  const [isOpen, setOpen] = useState(false);
  const remove = useMutation({
    mutationFn: () =>
      routes.smartContract.delete({
        headers: { ...headersOf(paymaster), ...ifMatch(contract.etag) },
        body: { address },
      }),
    onSuccess: (changed) => onChanged(changed ?? {}),
  });
  return (
    <div className="stack">
      <div className="page-head">
        <div>
          <h3>{name}</h3>
          <Value text={address} what={`address of ${name}`} />
          <p>
            {whitelistedMethods.length === 0 ? (
              <Badge kind="warn">No method is sponsored</Badge>
            ) : (
              <span className="small muted">{whitelistedMethods.join(', ')}</span>
            )}
          </p>
          <RecentUse use={use} of={address} />
          <CallsBack methods={callsBack} />
        </div>
        <div className="actions">
          <Button isExpanded={isOpen} label={`Change methods of ${name}`} onPress={() => setOpen(!isOpen)}>
            Change methods
          </Button>
          <ConfirmButton
            text="Delete"
            needs={['manage']}
            label={`Delete ${name}`}
            title={`Delete “${name}”?`}
            confirm="Delete contract"
            isPending={remove.isPending}
            onConfirm={() => remove.mutate()}
          >
            Operations that call it are refused from now on. You can register it again.
          </ConfirmButton>
        </div>
      </div>
      <Problem error={remove.error} />
      {isOpen ? <MethodsForm contract={contract} onDone={() => setOpen(false)} /> : null}
    </div>
  );
}

type Methods = Pick<SmartContractItem, 'whitelistedMethods'>;

function settingsOf({ whitelistedMethods, etag }: SmartContractItem) {
  return { settings: { whitelistedMethods } satisfies Methods, etag };
}

/** The sponsored methods whose caller can have code of their own run. */
function CallsBack({ methods }: { readonly methods: readonly string[] }) {
  if (methods.length === 0) return null;
  return (
    <Notice kind="warn">
      <p>Code of the caller’s choice could use up the gas of operations with these methods:</p>
      <ul>
        {methods.map((method) => (
          <li key={method}>{method}</li>
        ))}
      </ul>
      <p>Set “Maximum gas by method” in the policy. Its preview shows what operations need.</p>
    </Notice>
  );
}

function MethodsForm({ contract, onDone }: { readonly contract: SmartContractItem; readonly onDone: () => void }) {
  const { address, abi, whitelistedMethods } = contract;
  const paymaster = usePaymaster();
  const read = useMemo(() => readAbi(abi), [abi]);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => {
    const methods = read.ok ? read.methods : [];
    return new Set(methods.filter((each) => isWhitelisted(whitelistedMethods, each)).map(({ signature }) => signature));
  });
  const client = useQueryClient();
  // As the form was opened.
  const [seen] = useState(() => settingsOf(contract));
  const update = useSave({
    readNow: async () => {
      const contracts = await client.fetchQuery({ ...contractsQuery(paymaster), staleTime: 0 });
      return settingsOf(contracts.find((each) => each.address === address) ?? contract);
    },
    write: ({ whitelistedMethods: methods }: Methods, version) =>
      routes.smartContract.update({
        headers: { ...headersOf(paymaster), ...version },
        body: { address, whitelistedMethods: methods },
      }),
    onSuccess: onDone,
  });
  const save = () => update.mutate({ seen, mine: { whitelistedMethods: [...chosen] } });
  if (!read.ok) return <Notice kind="bad">{read.problem}</Notice>;
  return (
    <div className="rule stack">
      <MethodPicker methods={read.methods} chosen={chosen} onChange={setChosen} />
      <div className="actions">
        <Button kind="primary" needs={['manage']} isPending={update.isPending} onPress={save}>
          Save methods
        </Button>
        <Button onPress={onDone}>Cancel</Button>
      </div>
      <Problem error={update.error} />
    </div>
  );
}

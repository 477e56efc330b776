import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { maxNameLength } from '@tollfree/contract/limits';
import type { CreatePaymasterRequest, ServedChainItem } from '@tollfree/contract/paymaster';
import { suggestDailyUsd } from '@tollfree/contract/suggested-limit';
import { useState } from 'react';
import { limitDay } from '../../api/limit-day.ts';
import { chainsQuery, paymastersQuery } from '../../api/of-account.ts';
import { routes } from '../../api/routes.ts';
import { Choice } from '../../parts/choice.tsx';
import { FieldForm } from '../../parts/field-form.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { TextInput } from '../../parts/text-input.tsx';

/** Creates a paymaster on a served chain, and opens its page. */
export function PaymasterForm() {
  const chains = useQuery(chainsQuery);
  return (
    <Loaded query={chains}>
      {(served) => {
        const usable = served.filter(({ contracts }) => contracts.length > 0);
        return usable.length === 0 ? (
          <Empty title="The service has no chains.">Its operator has to configure one.</Empty>
        ) : (
          <FormFor chains={usable} />
        );
      }}
    </Loaded>
  );
}

function FormFor({ chains }: { readonly chains: readonly ServedChainItem[] }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [chosenChain, setChain] = useState('');
  const [chosenVersion, setVersion] = useState('');
  const [dailyUsd, setDailyUsd] = useState(suggestDailyUsd());
  const chain = chains.find(({ chainId }) => String(chainId) === chosenChain) ?? chains[0];
  const contracts = chain?.contracts ?? [];
  const contract = contracts.find(({ version }) => version === chosenVersion) ?? contracts.at(-1);
  const create = useMutation({
    mutationFn: async (body: CreatePaymasterRequest) => {
      const paymaster = await routes.paymaster.create({ headers: {}, body });
      if (dailyUsd !== '') await limitDay(paymaster, dailyUsd);
      return paymaster;
    },
    onSuccess: async ({ paymasterId }) => {
      await client.invalidateQueries(paymastersQuery);
      await navigate({ to: '/paymasters/$paymasterId', params: { paymasterId } });
    },
  });
  if (chain === undefined || contract === undefined) return null;
  return (
    <FieldForm
      action={create}
      submit="Create paymaster"
      onSubmit={() => create.mutate({ name, type: 'HYBRID', chainId: chain.chainId, version: contract.version })}
    >
      <TextInput
        label="Name"
        name="name"
        hint="Name of the application."
        isRequired
        maxLength={maxNameLength}
        value={name}
        onChange={setName}
      />
      <Choice
        label="Chain"
        value={String(chain.chainId)}
        options={chains.map((each) => ({ value: String(each.chainId), text: `${each.name} (${each.chainId})` }))}
        onChange={setChain}
      />
      <Choice
        label="EntryPoint"
        value={contract.version}
        options={contracts.map(({ version, entryPointVersion, family }) => ({
          value: version,
          text: `EntryPoint ${entryPointVersion} · ${family} · version ${version}`,
        }))}
        onChange={setVersion}
      />
      <TextInput
        label="Most per day, in USD"
        hint="What all operations of a UTC day may cost together. Everyone who uses your app has its URL, so keep a limit. Change it in the policy at any time."
        value={dailyUsd}
        onChange={setDailyUsd}
        check={(text) =>
          text === '' || /^\d{1,9}(\.\d{1,6})?$/.test(text) ? undefined : 'Enter USD, like 50 or 49.90.'
        }
      />
    </FieldForm>
  );
}

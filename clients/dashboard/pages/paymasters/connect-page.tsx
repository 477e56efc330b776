import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { useState } from 'react';
import { contractsQuery, policyQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Card } from '../../parts/card.tsx';
import { type Fact, Facts } from '../../parts/facts.tsx';
import { InLineChoice } from '../../parts/in-line.tsx';
import { Page } from '../../parts/page.tsx';
import { chainName } from '../../parts/text/chain-name.ts';
import { MaskedValue, Value } from '../../parts/value.tsx';
import { callsOf, isBundlerQuery, noCall, ProgramTabs, useFilled } from './program-tabs.tsx';
import { rpcUrl } from './rpc-url.ts';
import { WaitCard } from './wait-card.tsx';

/** The contract of the version, and the EntryPoint for operations. */
function contractFacts({ contract }: PaymasterItem): readonly Fact[] {
  if (contract === undefined) return [['Contract', 'the operator no longer serves this version']];
  const { family, address, entryPoint, entryPointVersion } = contract;
  return [
    ['Paymaster contract', <Value key="contract" text={address} what="paymaster contract" />],
    ['Contract family', family],
    [`EntryPoint ${entryPointVersion}`, <Value key="entry-point" text={entryPoint} what="EntryPoint" />],
  ];
}

/** A complete program to paste, what became of its first request, and the addresses of this paymaster. */
export function ConnectPage() {
  const paymaster = usePaymaster();
  const url = rpcUrl(paymaster);
  return (
    <Page title="Connect" lead="Paste the program and run it. Its first operation appears here." doc="connect">
      <WaitCard />
      <YourProgram />
      <Card
        title="Endpoint"
        lead="The URL may be used in a browser or an app: your rules and the gas tank bound what it can spend. Manage more keys on the page API keys."
      >
        <Facts
          facts={[
            ['RPC URL', <MaskedValue key="url" text={url} what="RPC URL" />],
            ['API key', <MaskedValue key="key" text={paymaster.apiKey} what="API key" />],
            ['Chain', chainName(paymaster.chainId)],
            ['Version', paymaster.version],
            ...contractFacts(paymaster),
            ['Paymaster id', <Value key="id" text={paymaster.paymasterId} what="paymaster id" />],
          ]}
        />
      </Card>
    </Page>
  );
}

/** The program for a chosen contract and method. */
function YourProgram() {
  const paymaster = usePaymaster();
  const { paymasterId } = paymaster;
  const contracts = useQuery(contractsQuery(paymaster));
  const isBundler = useQuery(isBundlerQuery(rpcUrl(paymaster))).data ?? true;
  const calls = (contracts.data ?? []).flatMap((contract) =>
    callsOf(contract).map((call) => ({ call, key: `${call.address} ${call.method}`, name: contract.name })),
  );
  const [chosen, setChosen] = useState('');
  const { call = noCall, key = '' } = calls.find((each) => each.key === chosen) ?? calls[0] ?? {};
  const requiresTicket = useQuery(policyQuery(paymaster)).data?.requireTicket ?? false;
  const filled = useFilled({ call, requiresTicket });
  return (
    <section className="card" aria-labelledby="program">
      <div>
        <h2 id="program">Your program</h2>
        {calls.length === 0 ? (
          contracts.isSuccess && (
            <p className="warn-text">
              Nothing is sponsored yet:{' '}
              <Link to="/paymasters/$paymasterId/contracts" params={{ paymasterId }}>
                register a contract and choose a method
              </Link>
              . Then the program calls it.
            </p>
          )
        ) : (
          <p className="sentence">
            Call{' '}
            <InLineChoice
              label="Method to call"
              value={key}
              options={calls.map((each) => ({ value: each.key, text: `${each.call.method} of ${each.name}` }))}
              onChange={setChosen}
            />{' '}
            from a new account without any coin.
          </p>
        )}
      </div>
      <ProgramTabs filled={filled} />
      <p className="small muted">
        It needs Node.js 20 or newer, and a filled gas tank. It needs no key of yours and no token of your account.{' '}
        {isBundler
          ? 'It needs no bundler either: the RPC URL is one.'
          : 'This service has no bundler for applications: replace https://bundler.example with the URL of yours.'}
      </p>
    </section>
  );
}

import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components/Tabs';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Card } from '../../parts/card.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { type Fact, Facts } from '../../parts/facts.tsx';
import { Page } from '../../parts/page.tsx';
import { chainName } from '../../parts/text/chain-name.ts';
import { MaskedValue, Value } from '../../parts/value.tsx';
import { rpcUrl } from './rpc-url.ts';
import { snippetsFor } from './snippets.ts';

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

/** What an application needs to use this paymaster: its URL, its key, and code to paste. */
export function ConnectPage() {
  const paymaster = usePaymaster();
  const url = rpcUrl(paymaster);
  const snippets = snippetsFor({ url }, paymaster);
  return (
    <Page title="Connect" lead={`How an application uses the paymaster “${paymaster.name}”.`}>
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
      <Card title="Code" lead="Filled in for this paymaster. Replace the account, node and bundler with your own.">
        <Tabs className="tabs">
          <TabList className="tab-list" aria-label="Library">
            {snippets.map(({ name }) => (
              <Tab key={name} id={name} className="tab">
                {name}
              </Tab>
            ))}
          </TabList>
          {snippets.map(({ name, code }) => (
            <TabPanel key={name} id={name}>
              <CodeBlock code={code} what={`Code for ${name}`} secret={url} />
            </TabPanel>
          ))}
        </Tabs>
      </Card>
    </Page>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components/Tabs';
import { readAbi } from '../../abi/read-abi.ts';
import { contractsQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { CopyButton } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { type Filled, type Program, programsFor } from './programs.ts';
import { rpcUrl } from './rpc-url.ts';

/** Where the paymaster has no contract yet: a program that shows the form of the call. */
export const noCall: Filled['call'] = { address: '0x0000000000000000000000000000000000000000', method: 'yourMethod()' };

/** A bundler to name where the service does not serve one. */
const otherBundler = 'https://bundler.example';

/** Where a program gets its ticket: your server, which the service does not know. */
const ticketServer = 'https://your-server.example/ticket';

type Chosen = { readonly call: Filled['call']; readonly requiresTicket: boolean; readonly policyId?: string };

/** What a paymaster's programs contain, for a call and the policy that decides on it. */
export function useFilled({ call, requiresTicket, policyId }: Chosen): Filled {
  const paymaster = usePaymaster();
  const url = rpcUrl(paymaster);
  const { data: isBundler = true } = useQuery(isBundlerQuery(url));
  return {
    url,
    chainId: paymaster.chainId,
    entryPointVersion: paymaster.contract?.entryPointVersion ?? '0.8',
    bundlerUrl: isBundler ? url : otherBundler,
    call,
    ...(policyId === undefined ? {} : { policyId }),
    ...(requiresTicket ? { ticketUrl: ticketServer } : {}),
  };
}

/** Whether operations can be sent to a paymaster's RPC URL: the operator may expose a bundler there. */
export function isBundlerQuery(url: string) {
  return {
    queryKey: ['is-bundler', url],
    staleTime: 600_000,
    queryFn: async (): Promise<boolean> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_supportedEntryPoints', params: [] });
      const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      return 'result' in ((await answer.json()) as object);
    },
  };
}

/** The first method that the paymaster sponsors; undefined until one is chosen. */
export function useFirstCall(): Filled['call'] | undefined {
  const { data = [] } = useQuery(contractsQuery(usePaymaster()));
  return data.flatMap(callsOf)[0];
}

type Contract = { readonly address: string; readonly abi: string; readonly whitelistedMethods: readonly string[] };

/** The calls of a contract's sponsored methods. A chosen name stands for each method of that name. */
export function callsOf({ address, abi, whitelistedMethods }: Contract): readonly Filled['call'][] {
  const read = readAbi(abi);
  const methods = (read.ok ? read.methods : []).filter(
    ({ signature, name }) => whitelistedMethods.includes(signature) || whitelistedMethods.includes(name),
  );
  return methods.map(({ signature }) => ({ address, method: signature }));
}

/** Programs to paste, one tab for each library. */
export function ProgramTabs({ filled }: { readonly filled: Filled }) {
  const programs = programsFor(filled);
  return (
    <>
      {filled.ticketUrl === undefined ? null : <TicketNeeded ticketUrl={filled.ticketUrl} />}
      <TabsOfPrograms programs={programs} secret={filled.url} />
    </>
  );
}

/** Says which server to put instead of the example. */
function TicketNeeded({ ticketUrl }: { readonly ticketUrl: string }) {
  const { paymasterId } = usePaymaster();
  return (
    <p>
      The policy requires a ticket. Replace <code>{ticketUrl}</code> with the URL of your server that signs one.{' '}
      <Link to="/paymasters/$paymasterId/tickets" params={{ paymasterId }}>
        Tickets
      </Link>{' '}
      has the code for that server.
    </p>
  );
}

/** Left out on a phone, where all tabs stand in one line. */
const ours = 'Tollfree ';

type Tabbed = { readonly programs: readonly Program[]; readonly secret: string };

function TabsOfPrograms({ programs, secret }: Tabbed) {
  return (
    <Tabs className="tabs">
      <TabList className="tab-list" aria-label="Library">
        {programs.map(({ name }) => (
          <Tab key={name} id={name} className="tab">
            {name.startsWith(ours) ? <span className="not-on-phones">{ours}</span> : null}
            {name.replace(ours, '')}
          </Tab>
        ))}
      </TabList>
      {programs.map((program) => (
        <TabPanel key={program.name} id={program.name}>
          <ProgramSteps program={program} secret={secret} />
        </TabPanel>
      ))}
    </Tabs>
  );
}

function ProgramSteps({ program, secret }: { readonly program: Program; readonly secret: string }) {
  const { name, packages, file, code, note } = program;
  const install = `npm install ${packages.join(' ')}`;
  return (
    <ol className="program">
      {packages.length === 0 ? null : (
        <li>
          <code>{install}</code>
          <CopyButton text={install} what="the install line" />
        </li>
      )}
      <li>
        <span>
          {file === undefined ? (
            'Paste this into a terminal'
          ) : (
            <>
              Save this as <code>{file}</code>
            </>
          )}
        </span>
        <CodeBlock code={code} what={`Code for ${name}`} secret={secret} />
      </li>
      {file?.endsWith('.mjs') ? (
        <li>
          <code>node {file}</code>
          <CopyButton text={`node ${file}`} what="the command" />
        </li>
      ) : null}
      {note === undefined ? null : <li className="small muted">{note}</li>}
    </ol>
  );
}

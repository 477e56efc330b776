import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { policyQuery, ticketKeysQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Card } from '../../parts/card.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { PanelButton } from '../../parts/panel-button.tsx';
import { Notice } from '../../parts/problem.tsx';
import { TicketKeyForm } from './ticket-key-form.tsx';
import { TicketKeyList } from './ticket-key-list.tsx';

/** The keys that sign the tickets of users. */
export function TicketsPage() {
  const query = useQuery(ticketKeysQuery(usePaymaster()));
  return (
    <Page
      title="Tickets"
      lead="A paymaster’s URL is public, so anyone can call it. A ticket is signed by your server or your login and names the sponsored user. A key lets this service verify it."
      doc="tickets"
      actions={
        <PanelButton text="New key" kind="primary" needs={['manage']} title="New key for tickets">
          {(close) => <TicketKeyForm onDone={close} />}
        </PanelButton>
      }
    >
      <Card title="Keys that sign tickets">
        <Loaded query={query}>
          {(keys) =>
            keys.length === 0 ? (
              <Empty title="No keys yet.">
                Tickets are ignored until there is a key. For example: “backend”, which signs a ticket for each user
                that is signed in.
              </Empty>
            ) : (
              <TicketKeyList keys={keys} />
            )
          }
        </Loaded>
      </Card>
      <Card title="Using tickets">
        <UseOfTickets />
      </Card>
    </Page>
  );
}

/** How to use a key, and whether the policy requires tickets. */
function UseOfTickets() {
  const paymaster = usePaymaster();
  const { paymasterId } = paymaster;
  const policy = useQuery(policyQuery(paymaster));
  return (
    <div className="stack">
      <Loaded query={policy}>
        {({ requireTicket }) =>
          requireTicket ? (
            <Notice kind="good">The policy requires a ticket.</Notice>
          ) : (
            <Notice>
              The policy does not require tickets, so requests without one are sponsored too. To change that, select “A
              ticket of your backend is needed” in the{' '}
              <Link to="/paymasters/$paymasterId/policy" params={{ paymasterId }}>
                policy
              </Link>
              . Limits can then count each user of a ticket.
            </Notice>
          )
        }
      </Loaded>
      <ol className="program">
        <li>
          <span>
            On your server, sign a ticket for a logged-in user. If the key is your login, its token is the ticket and
            you can skip this step.
          </span>
          <CodeBlock what="Code that signs a ticket" code={signing(paymasterId)} />
        </li>
        <li>
          <span>
            In your application, send the ticket with the request.{' '}
            <Link to="/paymasters/$paymasterId" params={{ paymasterId }}>
              Connect
            </Link>{' '}
            has the whole program if the policy asks for tickets.
          </span>
          <CodeBlock what="Code that sends a ticket" code={sending} />
        </li>
      </ol>
    </div>
  );
}

function signing(paymasterId: string): string {
  return `// npm install jose
import { importJWK, SignJWT } from 'jose';

if (!process.env.TICKET_KEY) throw new Error('Set TICKET_KEY to what was shown when the key was made.');
const key = JSON.parse(process.env.TICKET_KEY);
const ticket = await new SignJWT()
  .setProtectedHeader({ alg: key.alg, kid: key.kid })
  .setSubject(userId) // your id of the user, who has limits of their own
  .setAudience('${paymasterId}')
  .setExpirationTime('5m')
  .sign(await importJWK(key));`;
}

const sending = `// One more line of createBundlerClient or createSmartAccountClient
  paymasterContext: { ticket },`;

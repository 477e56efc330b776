import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { policyQuery } from '../../api/of-paymaster.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Notice } from '../../parts/notice.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';

/** How to use a key, and whether the policy requires tickets. */
export function UseOfTickets() {
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
              The policy does not require tickets, so requests without one are sponsored too. Select “Require a ticket”
              in the{' '}
              <Link to="/paymasters/$paymasterId/policy" params={{ paymasterId }}>
                policy
              </Link>{' '}
              to change that. It can then have limits for each user of a ticket.
            </Notice>
          )
        }
      </Loaded>
      <p>
        On your server, sign a ticket for a logged-in user. If the key is your login, its token is the ticket and you
        can skip this step.
      </p>
      <CodeBlock what="Code that signs a ticket" code={signing(paymasterId)} />
      <p>In your application, send the ticket with the request:</p>
      <CodeBlock what="Code that sends a ticket" code={sending} />
    </div>
  );
}

function signing(paymasterId: string): string {
  return `import { importJWK, SignJWT } from 'jose';

const key = JSON.parse(process.env.TICKET_KEY); // what was shown when the key was made
const ticket = await new SignJWT()
  .setProtectedHeader({ alg: key.alg, kid: key.kid })
  .setSubject(userId) // of yours, for the limits of each user
  .setAudience('${paymasterId}')
  .setExpirationTime('5m')
  .sign(await importJWK(key));`;
}

const sending = `// One more line of createBundlerClient or createSmartAccountClient
  paymasterContext: { ticket },`;

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { policyQuery } from '../../api/of-paymaster.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Notice } from '../../parts/notice.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';

/** What has to be done with a key, and whether the policy asks for tickets. */
export function UseOfTickets() {
  const paymaster = usePaymaster();
  const { paymasterId } = paymaster;
  const policy = useQuery(policyQuery(paymaster));
  return (
    <div className="stack">
      <Loaded query={policy}>
        {({ requireTicket }) =>
          requireTicket ? (
            <Notice kind="good">The policy pays for nothing without a ticket.</Notice>
          ) : (
            <Notice>
              The policy does not ask for tickets: what comes without one is paid for as well. Tick “Pay only with a
              ticket” in the{' '}
              <Link to="/paymasters/$paymasterId/policy" params={{ paymasterId }}>
                policy
              </Link>{' '}
              to change that; it can have limits for each user of a ticket then.
            </Notice>
          )
        }
      </Loaded>
      <p>
        On your server, sign a ticket for a user who is logged in. With a login as the key its token is the ticket, and
        this is not needed.
      </p>
      <CodeBlock what="Code that signs a ticket" code={signing(paymasterId)} />
      <p>In your application, send the ticket with what is asked:</p>
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

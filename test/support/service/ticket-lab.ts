import { importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import { createManagementClient, type ManagementClient } from '../../../clients/sdk/create-management-client.ts';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import type { DevPaymaster } from '../../../server/dev/dev-file.ts';
import type { RunningService } from './running-service.ts';

/** A funded paymaster with a key that signs its tickets. */
export type TicketPaymaster = DevPaymaster & {
  readonly client: ManagementClient;
  /** Makes a ticket of `alice` for a minute from now, or as the claims say. */
  ticket(claims?: JWTPayload): Promise<string>;
};

export async function newTicketPaymaster(
  service: RunningService,
  version: EntryPointVersion = '0.7',
): Promise<TicketPaymaster> {
  const { authToken } = await service.issueAccount();
  const paymaster = await service.fundedPaymaster(authToken, version);
  const { apiKey } = paymaster;
  const client = createManagementClient({ baseUrl: service.url, authToken, apiKey });
  const [{ paymasterId = '' } = {}] = await client.listPaymasters();
  const { secret } = await client.createTicketKey({ paymasterId, name: 'backend', kind: 'EDDSA' });
  return { ...paymaster, client, ticket: (claims) => signTicket(secret ?? {}, { aud: paymasterId, ...claims }) };
}

/** Signs with a private key as it was told. */
export async function signTicket(secret: JWK | Record<string, unknown>, claims: JWTPayload): Promise<string> {
  const { kid = '', alg = '' } = secret as JWK;
  const exp = Math.floor(Date.now() / 1_000) + 60;
  return new SignJWT({ sub: 'alice', exp, ...claims })
    .setProtectedHeader({ alg, kid })
    .sign(await importJWK(secret as JWK));
}

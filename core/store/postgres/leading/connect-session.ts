import pg from 'pg';
import type { Secret } from '../../../domain/values/secret.ts';
import { connectionOptions } from '../connection-options.ts';
import { leadingLimits } from './leading-limits.ts';

/** Opens the session that a process leads by: it ends soon after the process fell silent. */
export async function connectSession(url: Secret<string>): Promise<pg.Client> {
  const client = new pg.Client(connectionOptions(url, leadingLimits.statement));
  // Without a listener it would end the process; the next query says what is wrong.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(`SET idle_session_timeout = ${leadingLimits.maxSilence}`);
    return client;
  } catch (error) {
    client.end().catch(() => {});
    throw error;
  }
}

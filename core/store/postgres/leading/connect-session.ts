import pg from 'pg';
import type { Secret } from '../../../base/values/secret.ts';
import type { Ear } from '../../notices/create-notice-listener.ts';
import type { Notice } from '../../notices/notice.ts';
import { connectionOptions } from '../connection-options.ts';
import { channelName } from './channel-name.ts';
import { leadingLimits } from './leading-limits.ts';

/**
 * Opens the session that a process leads by, and hears what others tell: it ends soon after the process fell silent.
 * What was told before is lost.
 */
export async function connectSession(url: Secret<string>, { reported }: Pick<Ear, 'reported'>): Promise<pg.Client> {
  const client = new pg.Client(connectionOptions(url, leadingLimits.statement));
  // Without a listener it would end the process; the next query says what is wrong.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(`SET idle_session_timeout = ${leadingLimits.maxSilence}`);
    // Of another version there may be words that this one does not know: no one listens to them.
    client.on('notification', ({ payload }) => reported(payload as Notice));
    const { rows } = await client.query<{ name: string }>(`SELECT ${channelName} AS name`);
    await client.query(`LISTEN ${rows[0]?.name}`);
    reported(undefined);
    return client;
  } catch (error) {
    client.end().catch(() => {});
    throw error;
  }
}

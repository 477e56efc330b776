import type { DescribedName, RecordedName } from '@tollfree/contract/core-operations';
import { operationList } from '@tollfree/contract/operations';

type Objects = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A changed field. Undefined means that it did not exist, or no longer does. */
type ChangedField = { readonly field: string; readonly before: unknown; readonly after: unknown };

/** One object's change. */
export type ObjectChange = {
  readonly kind: string;
  readonly id: string;
  readonly became: 'made' | 'changed' | 'gone';
  readonly fields: readonly ChangedField[];
};

/** Labels of the log's object kinds. */
const kinds: Readonly<Record<string, string>> = {
  apiKey: 'API key',
  settingsOfApiKey: 'settings of an API key',
  ticketKey: 'key for tickets',
  fundingMessage: 'message for the funding wallet',
};

/** A log entry's changes by object and field. Values are shown as stored. */
export function listChanges({
  before,
  after,
}: {
  readonly before: Objects;
  readonly after: Objects;
}): readonly ObjectChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].map((object) => {
    const [kind = '', ...rest] = object.split(' ');
    const was = before[object];
    const is = after[object];
    const [old, now] = [flatten(was ?? {}), flatten(is ?? {})];
    const names = [...new Set([...old.keys(), ...now.keys()])];
    const fields = names
      .map((field) => ({ field, before: old.get(field), after: now.get(field) }))
      .filter((each) => JSON.stringify(each.before) !== JSON.stringify(each.after));
    const became = was === undefined ? 'made' : is === undefined ? 'gone' : 'changed';
    return { kind: kinds[kind] ?? kind, id: rest.join(' '), became, fields };
  });
}

/** An object's values by path; lists are kept whole. */
function flatten(value: object, path = ''): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [name, each] of Object.entries(value)) {
    const location = path === '' ? name : `${path}.${name}`;
    const read = readText(each);
    if (typeof read !== 'object' || read === null || Array.isArray(read)) found.set(location, read);
    else for (const [inner, deep] of flatten(read, location)) found.set(inner, deep);
  }
  return found;
}

/** Some fields are stored as JSON text. */
function readText(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const ownLabels = {
  createAccount: 'Account created',
  inviteAccount: 'Account created for a wallet',
  linkWallet: 'Wallet of the account set',
  suspendAccount: 'Account suspended or resumed',
  issueAuthToken: 'authToken created',
  revokeAuthToken: 'authToken revoked',
  signInWithWallet: 'Signed in with a wallet',
  signInWithAuthToken: 'Signed in with an authToken',
  endSession: 'Signed out',
  revokeSession: 'Session ended',
  revokeAllSessions: 'All sessions ended',
  addMember: 'Member invited',
  changeMember: 'Role of a member changed',
  renameMember: 'Member renamed',
  removeMember: 'Member removed or left',
  switchAccount: 'Switched accounts',
  createPaymaster: 'Paymaster created',
  updatePaymaster: 'Paymaster renamed, paused or resumed',
  retirePaymaster: 'Paymaster retired',
  createApiKey: 'API key created',
  updateApiKey: 'API key changed',
  rotateApiKey: 'API key replaced',
  endApiKey: 'API key ended',
  createTicketKey: 'Key for tickets added',
  deleteTicketKey: 'Key for tickets deleted',
  createFundingMessage: 'Message for the funding wallet created',
  setFundingWallet: 'Funding wallet set',
  setPolicy: 'Policy changed',
  createPolicy: 'Named policy created',
  replacePolicy: 'Named policy changed, opened or closed',
  deletePolicy: 'Named policy deleted',
  createBudget: 'Budget set',
  replaceBudget: 'Budget changed',
  deleteBudget: 'Budget deleted',
  registerContract: 'Contract registered',
  updateContract: 'Contract changed',
  deleteContract: 'Contract deleted',
  createWebhook: 'Webhook added',
  updateWebhook: 'Webhook changed',
  deleteWebhook: 'Webhook deleted',
  rotateWebhookSecret: 'Secret of a webhook replaced',
  createNotification: 'Notification added',
  updateNotification: 'Notification changed',
  deleteNotification: 'Notification deleted',
  rotateNotificationSecret: 'Secret of a notification replaced',
  redeliverNotification: 'Message sent again',
  sendTestNotification: 'Test message sent',
  adjustTank: 'Gas tank corrected by the operator',
  revertLedger: 'Ledger read again from the chain',
  archiveLedger: 'Old ledger entries archived',
  releaseHold: 'Hold released by the operator',
} satisfies Partial<Record<RecordedName<DescribedName>, string>>;

/** Labels of the operations in the log. One that `ownLabels` lacks has the contract’s summary. */
export const operationWords: Readonly<Record<string, string>> = {
  ...ownLabels,
  ...Object.fromEntries(
    operationList.flatMap((operation) => {
      if ('calls' in operation || operation.changes === undefined) return [];
      const recordedAs = operation.rpc ?? operation.name;
      return recordedAs in ownLabels ? [] : [[recordedAs, operation.summary]];
    }),
  ),
};

import type { AuditLogItem } from '@tollfree/contract/access/audit-log';
import { authorOf, type KnownAuthors } from '../../api/change-author.ts';
import { listChanges, operationWords } from './list-changes.ts';

/** Changes as CSV, one row per changed field. User text is quoted, and never read as a formula. */
export function auditLogCsv(entries: readonly AuditLogItem[], authors: KnownAuthors): string {
  const heads = [
    'Entry',
    'When',
    'Operation',
    'Author',
    'IP address',
    'Client',
    'Paymaster',
    'Object',
    'Field',
    'Before',
    'After',
  ];
  const rows = entries.flatMap((entry) => {
    const { entryId, changedAt, operation, address = '', client = '', paymasterId = '' } = entry;
    const when = new Date(changedAt * 1_000).toISOString();
    const head = [
      entryId,
      when,
      operationWords[operation] ?? operation,
      authorOf(entry, authors),
      address,
      client,
      paymasterId,
    ];
    const changes = listChanges(entry).flatMap(({ kind, id, fields }) =>
      fields.map(({ field, before, after }) => [`${kind} ${id}`, field, textOf(before), textOf(after)]),
    );
    return (changes.length === 0 ? [['', '', '', '']] : changes).map((change) => [...head, ...change]);
  });
  return [heads, ...rows].map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** RFC 4180. A spreadsheet would execute text that begins with one of these characters. */
function quoted(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

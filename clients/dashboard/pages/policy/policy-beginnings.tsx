import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { Header } from 'react-aria-components/Header';
import { Menu, MenuItem, MenuSection, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Button } from '../../parts/button.tsx';
import { Notice, Problem } from '../../parts/problem.tsx';
import { HiddenFileInput } from '../../parts/text-input.tsx';
import type { PolicyDraft } from './policy-draft.ts';
import { policyTemplates, withTemplate } from './policy-templates.ts';
import { recentCostsQuery } from './recent-costs-query.ts';

type PolicyBeginningsProps = { readonly draft: PolicyDraft; readonly onBegin: (draft: PolicyDraft) => void };

/** A menu that fills the form from a template or a file, without saving. */
export function PolicyBeginnings({ draft, onBegin }: PolicyBeginningsProps) {
  const paymaster = usePaymaster();
  const { paymasterId } = paymaster;
  const { data: costs } = useQuery(recentCostsQuery(paymaster));
  const [problem, setProblem] = useState<Error>();
  const [named, setNamed] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const take = (text: string) => {
    const file = readPolicyFile(text);
    setProblem(file === undefined ? new Error('This file holds no policy.') : undefined);
    setNamed(file?.named.length ?? 0);
    if (file !== undefined) onBegin(file.policy);
  };
  return (
    <>
      <MenuTrigger>
        <Button needs={['manage']}>Start over from…</Button>
        <Popover className="menu of-button of-texts" placement="bottom end">
          <Menu aria-label="Start over from">
            <MenuSection>
              <Header className="menu-title">
                Replaces what is sponsored and the limits. Senders, schedule and tokens stay. Nothing is saved yet.
              </Header>
              {policyTemplates(costs).map(({ name, text, fields }) => (
                <MenuItem
                  key={name}
                  textValue={name}
                  className="menu-item"
                  onAction={() => onBegin(withTemplate(draft, fields))}
                >
                  <span>
                    {name}
                    <span className="under">{text}</span>
                  </span>
                </MenuItem>
              ))}
              <MenuItem textValue="A file" className="menu-item" onAction={() => input.current?.click()}>
                <span>
                  A file…
                  <span className="under">A policy as JSON, or a file from “tollfree policy export”.</span>
                </span>
              </MenuItem>
            </MenuSection>
          </Menu>
        </Popover>
      </MenuTrigger>
      <HiddenFileInput input={input} label="Import a file" accept=".json,application/json" onText={take} />
      {named === 0 ? null : (
        <Notice>
          The form has the file’s default policy. To take its named policies too ({named}), import the file on the page{' '}
          <Link to="/paymasters/$paymasterId/policies" params={{ paymasterId }}>
            Named policies
          </Link>
          .
        </Notice>
      )}
      <Problem error={problem} />
    </>
  );
}

/** A named policy in a file. The service validates it. */
export type FilePolicy = { readonly name: string } & Readonly<Record<string, unknown>>;

/** The policies in a file: the default one, and the named ones if listed. */
type PolicyFileContents = { readonly policy: PolicyDraft; readonly named: readonly FilePolicy[] };

/** Parses a file with all policies, or with one; undefined for anything else. */
export function readPolicyFile(text: string): PolicyFileContents | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(json)) return undefined;
  if (!('policy' in json)) return { policy: json, named: [] };
  const { policy, policies = [] } = json;
  if (!isObject(policy) || !Array.isArray(policies) || !policies.every(isNamed)) return undefined;
  return { policy, named: policies };
}

function isNamed(value: unknown): value is FilePolicy {
  return isObject(value) && typeof value.name === 'string' && isObject(value.policy);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

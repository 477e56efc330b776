import { maxIdLength, maxUrlLength } from '@tollfree/contract/limits';
import type { CreateNotificationRequest } from '@tollfree/contract/notification';
import { Choice } from '../../parts/choice.tsx';
import { wrongUrl } from '../../parts/text/wrong-url.ts';
import { TextInput } from '../../parts/text-input.tsx';
import { pagerdutyRegions, type Target, targets } from './targets.ts';

/** What was entered about where messages go. */
export type EnteredTarget = {
  readonly target: Target;
  readonly url: string;
  readonly token: string;
  readonly chatId: string;
};

export const nothingEntered: EnteredTarget = { target: 'SLACK', url: '', token: '', chatId: '' };

/** The fields of a request for what was entered: only those that the target has. */
export function destinationOf({ target, ...entered }: EnteredTarget): Omit<CreateNotificationRequest, 'events'> {
  const { url, token, chatId } = targets[target];
  return {
    target,
    ...(url === undefined && entered.url === '' ? {} : { url: entered.url.trim() }),
    ...(token === undefined ? {} : { token: entered.token.trim() }),
    ...(chatId === undefined ? {} : { chatId: entered.chatId.trim() }),
  };
}

type TargetFieldsProps = {
  readonly entered: EnteredTarget;
  readonly onChange: (entered: EnteredTarget) => void;
};

/** Who is notified, and what that service needs to be reached. */
export function TargetFields({ entered, onChange }: TargetFieldsProps) {
  const { url, token, chatId } = targets[entered.target];
  return (
    <>
      <Choice
        label="Send to"
        value={entered.target}
        options={Object.entries(targets).map(([value, { name }]) => ({ value: value as Target, text: name }))}
        onChange={(target) => onChange({ ...nothingEntered, target })}
      />
      {url === undefined ? null : (
        <TextInput
          key={`${entered.target} url`}
          label={url.label}
          name="url"
          placeholder={url.placeholder}
          hint={url.where}
          isRequired
          maxLength={maxUrlLength}
          value={entered.url}
          onChange={(next) => onChange({ ...entered, url: next })}
          check={wrongUrl}
        />
      )}
      {token === undefined ? null : (
        <TextInput
          key={`${entered.target} token`}
          label={token.label}
          name="token"
          placeholder={token.placeholder}
          hint={token.where}
          isRequired
          maxLength={maxIdLength}
          value={entered.token}
          onChange={(next) => onChange({ ...entered, token: next })}
        />
      )}
      {chatId === undefined ? null : (
        <TextInput
          label={chatId.label}
          name="chatId"
          placeholder={chatId.placeholder}
          hint={chatId.where}
          isRequired
          maxLength={maxIdLength}
          value={entered.chatId}
          onChange={(next) => onChange({ ...entered, chatId: next })}
        />
      )}
      {entered.target === 'PAGERDUTY' ? (
        <Choice
          label="Region of your PagerDuty account"
          value={
            entered.url === '' ? pagerdutyRegions[0].value : (entered.url as (typeof pagerdutyRegions)[number]['value'])
          }
          options={pagerdutyRegions}
          onChange={(next) => onChange({ ...entered, url: next })}
        />
      ) : null}
    </>
  );
}

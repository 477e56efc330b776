/** SQL for the notification channel of a schema. It is a digest, since a channel name cannot be as long as a schema name. */
export const channelName = "'tollfree_' || md5(current_schema())";

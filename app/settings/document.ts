import { plain } from '#settings/list'
import { code, markdownTable } from '#settings/markdown'
import { BASICS } from '#settings/basics'
import type { DeclaredSetting } from '#settings/declarations'

const INTRODUCTION = `# Settings

This page is generated from the declarations in \`config/\` and \`app/settings/dns.ts\`. After a change there, write it anew with
\`node ace settings:list --markdown > docs/reference/settings.md\`.

Every setting has a default. Two places override it, the later one wins:

1. the settings file: a JSON file that the variable \`SETTINGS_FILE\` names. A relative path counts from
   the checkout. Keys are nested (\`{ "api": { "enabled": true } }\`) or dotted
   (\`{ "api.enabled": true }\`);
2. the environment, or the file \`.env\`: the key in upper case, its dots as underscores. \`api.enabled\`
   is \`API_ENABLED\`.

In a variable, a boolean is \`true\`, \`1\`, \`yes\`, \`on\` or \`false\`, \`0\`, \`no\`, \`off\`. A list is comma
separated or a JSON array. An empty variable is null where null is allowed, the empty text where that is
allowed, and otherwise counts as not set.

Settings are checked once, at the start. A key of the settings file that does not exist, a variable that
is a setting's name but for a slip or two, and a value of the wrong type or out of its range stop the
start. Each is told in one line on standard error: the key, what was found and where, and what is
allowed. Secrets are masked there.

\`node ace settings:list\` shows every setting, its value (secrets masked) and where it came from. With
\`--json\` it prints the same, and what is allowed, for scripts.

## Example

The settings file \`/etc/zonewright/settings.json\`:

\`\`\`json
{
  "api": { "enabled": true },
  "dns": {
    "ns1": "ns1.example.net",
    "hostmaster": "hostmaster.example.net",
    "soa_edit_api_options": ["DEFAULT", "EPOCH"]
  }
}
\`\`\`

The environment, or \`.env\`:

\`\`\`sh
SETTINGS_FILE=/etc/zonewright/settings.json
DNS_TTL=3600
PDNS_API_URL=http://127.0.0.1:8081
PDNS_API_KEY=the-key-of-the-server
\`\`\`

The API is on, new records live for an hour, and new zones name the servers of example.net. All other
settings keep their defaults.
`

/**
 * The text of docs/reference/settings.md for some declared settings, which must be ordered by section.
 */
export function settingsDocument(declared: readonly DeclaredSetting[]): string {
  const sections = Map.groupBy(declared, ({ section }) => section)
  const parts = [INTRODUCTION, basics()]
  for (const [section, settings] of sections) parts.push(`## ${section}\n\n${tableOf(settings)}\n`)
  return parts.join('\n')
}

function basics(): string {
  const rows = BASICS.map(({ variable, fallback, help }) => [code(variable), fallback, help])
  return `## Basics

These are needed before any setting is read, and come from the environment or \`.env\` only.

${markdownTable(['Variable', 'Default', 'What it does'], rows)}
`
}

function tableOf(settings: readonly DeclaredSetting[]): string {
  const rows = settings.map(({ key, variable, setting }) => [
    code(key),
    code(variable),
    setting.allowed,
    code(plain(setting.fallback)),
    setting.help,
  ])
  return markdownTable(['Key', 'Variable', 'Allowed', 'Default', 'What it does'], rows)
}

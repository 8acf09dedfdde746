import { printValue } from '#settings/list'
import { code, markdownTable } from '#settings/markdown'
import { BASIC_VARIABLES } from '#settings/basics'
import type { DeclaredSetting } from '#settings/declarations'

const INTRODUCTION = `# Settings

This page is generated from the declarations in \`config/\` and \`app/settings/dns.ts\`. After a change there, run
\`node ace settings:list --markdown > docs/reference/settings.md\`.

Every setting has a default. Two sources override it; the second has priority:

1. The settings file: a JSON file, named by the variable \`SETTINGS_FILE\`. A relative path starts at the checkout. Keys
   are nested (\`{ "api": { "enabled": true } }\`) or dotted (\`{ "api.enabled": true }\`).
2. The environment, or the file \`.env\`. The variable is the key in upper case, with underscores for dots:
   \`API_ENABLED\` sets \`api.enabled\`.

In a variable, a boolean is \`true\`, \`1\`, \`yes\`, \`on\` or \`false\`, \`0\`, \`no\`, \`off\`. A list is comma-separated
or a JSON array. An empty variable means null or an empty text if the setting allows it. Otherwise it counts as not set.

All settings are checked at the start. The service does not start if

- the settings file has an unknown key,
- a variable almost has the name of a setting,
- a value has the wrong type or is out of range.

Standard error has one line per problem: the key, the value, its source, and what is allowed. Secrets are masked.

\`node ace settings:list\` shows every setting, its value (secrets masked) and its source. \`--json\` adds what is allowed.

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

This enables the API, gives new records a TTL of one hour, and sets the name server of new zones. All other settings
have their defaults.
`

/** Returns docs/reference/settings.md for declared settings, which must be ordered by section. */
export function settingsDocument(declared: readonly DeclaredSetting[]): string {
  const sections = Map.groupBy(declared, ({ section }) => section)
  const parts = [INTRODUCTION, basics()]
  for (const [section, settings] of sections) parts.push(`## ${section}\n\n${tableOf(settings)}\n`)
  return parts.join('\n')
}

function basics(): string {
  const rows = BASIC_VARIABLES.map(({ variable, fallback, help }) => [
    code(variable),
    fallback,
    help,
  ])
  return `## Basics

These variables are needed before settings are read. They come from the environment or from \`.env\` only.

${markdownTable(['Variable', 'Default', 'What it does'], rows)}
`
}

function tableOf(settings: readonly DeclaredSetting[]): string {
  const rows = settings.map(({ key, variable, setting }) => [
    code(key),
    code(variable),
    setting.allowed,
    code(printValue(setting.fallback)),
    setting.help,
  ])
  return markdownTable(['Key', 'Variable', 'Allowed', 'Default', 'What it does'], rows)
}

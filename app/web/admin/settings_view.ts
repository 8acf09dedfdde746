import { BASIC_VARIABLES } from '#settings/basics'
import { registry } from '#settings/define'
import { listSettings, printValue } from '#settings/list'

/** Source of a value. */
export type Origin = 'default' | 'file' | 'environment'

/** A setting of the page. A secret shows only whether it is set. */
export interface SettingView {
  key: string
  variable: string
  value: string
  fallback: string
  origin: Origin
  isSecret: boolean
  isSet: boolean
  allowed: string
  help: string
}

/** Settings of one section. */
export interface SettingGroup {
  name: string
  settings: SettingView[]
}

const USER_INFO = /\/\/[^/@\s]*@/g
/** Secret variables among those that are read before settings. */
const SECRET_BASICS = new Set(['APP_KEY', 'DB_PASSWORD'])

/**
 * The settings of this process by section, after those that only the environment has; filtered by `q`.
 *
 * @param q        searched in names and help texts, without case
 * @param isChosen only settings that differ from the default
 */
export function settingGroups(q: string, isChosen: boolean): SettingGroup[] {
  const search = q.trim().toLowerCase()
  const matches = ({ key, variable, help, origin }: SettingView) =>
    (!isChosen || origin !== 'default') &&
    (search === '' || [key, variable, help].some((text) => text.toLowerCase().includes(search)))
  const groups = Map.groupBy(settings(), ({ key }) => key.split('.')[0])
  return [...[...groups].map(([name, all]) => ({ name, settings: all })), basics()]
    .map((group) => ({ ...group, settings: group.settings.filter(matches) }))
    .filter((group) => group.settings.length > 0)
}

function settings(): SettingView[] {
  const resolved = registry.all()
  return listSettings(resolved).map((listed, index) => {
    const isSecret = resolved[index].setting.secret
    return {
      key: listed.key,
      variable: listed.variable,
      value: isSecret ? '' : valueText(listed.value),
      fallback: isSecret ? '' : valueText(listed.default),
      origin: originOf(listed.source),
      isSecret,
      isSet: listed.value !== '' && listed.value !== null,
      allowed: listed.allowed,
      help: listed.help.replaceAll('`', ''),
    }
  })
}

/** Returns the variables that a process reads before its settings. */
function basics(): SettingGroup {
  return {
    name: 'basics',
    settings: BASIC_VARIABLES.map(({ variable, fallback, help }) => {
      const value = process.env[variable] ?? ''
      const isSecret = SECRET_BASICS.has(variable)
      return {
        key: variable,
        variable,
        value: isSecret ? '' : valueText(value),
        fallback: fallback.replaceAll('`', ''),
        origin: value === '' ? 'default' : 'environment',
        isSecret,
        isSet: value !== '',
        allowed: '',
        help: help.replaceAll('`', ''),
      }
    }),
  }
}

/** Credentials within an address are masked. */
function valueText(value: unknown): string {
  return printValue(value).replaceAll(USER_INFO, '//********@')
}

function originOf(source: string): Origin {
  const [word] = source.split(' ')
  return word === 'file' || word === 'environment' ? word : 'default'
}

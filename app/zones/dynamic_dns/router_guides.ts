/** Instructions to configure a device for a host. */
export interface Recipe {
  /** Identifier of the client: `ddclient`, `fritzbox` and so on. */
  client: string
  title: string
  /** Location in the device: a file, or a page of its menu. */
  where: string
  /** A file, or lines of `field: value`. */
  text: string
}

interface GuideValues {
  /** Base URL of the application: `https://dns.example.com`. */
  endpoint: string
  hosts: string[]
  /** A token. The endpoint ignores the user name. */
  secret: string
}

const USER = 'token'

/** Returns instructions for all supported devices. */
export function recipesFor({ endpoint, hosts, secret }: GuideValues): Recipe[] {
  const { host: server, hostname: name, protocol, pathname, port } = new URL(endpoint)
  const base = pathname.replace(/\/$/, '')
  const isHttps = protocol === 'https:'
  const list = hosts.join(',')
  const host = hosts[0]
  const update = `${endpoint}/nic/update`
  const lines = (...parts: string[]) => parts.join('\n')
  return [
    {
      client: 'ddclient',
      title: 'ddclient',
      where: '/etc/ddclient.conf',
      text: lines(
        'protocol=dyndns2',
        `server=${server}`,
        `script=${base}/nic/update`,
        `ssl=${isHttps ? 'yes' : 'no'}`,
        `login=${USER}`,
        `password='${secret}'`,
        'use=web, web=https://api.ipify.org/',
        list
      ),
    },
    {
      client: 'inadyn',
      title: 'inadyn (included in OpenWrt, UniFi and others)',
      where: '/etc/inadyn.conf',
      text: lines(
        'period = 300',
        'custom zonewright {',
        `    hostname    = ${hosts.length === 1 ? host : `{ ${hosts.map((one) => `"${one}"`).join(', ')} }`}`,
        `    username    = ${USER}`,
        `    password    = "${secret}"`,
        `    ddns-server = ${name}${port === '' ? '' : `:${port}`}`,
        `    ddns-path   = "${base}/nic/update?hostname=%h&myip=%i"`,
        `    ssl         = ${isHttps}`,
        '}'
      ),
    },
    {
      client: 'fritzbox',
      title: 'FRITZ!Box',
      where: 'Internet > Permit Access > DynDNS, provider "User-defined"',
      text: lines(
        `Update URL: ${update}?username=<username>&password=<pass>&hostname=<domain>&myip=<ipaddr>&myip6=<ip6addr>`,
        `Domain name: ${host}`,
        `Username: ${USER}`,
        `Password: ${secret}`
      ),
    },
    {
      client: 'fritzbox-lan',
      title: 'FRITZ!Box, for an IPv6 device behind it',
      where: 'Internet > Permit Access > DynDNS, provider "User-defined"',
      text: lines(
        `Update URL: ${update}?username=<username>&password=<pass>&hostname=<domain>&myip=<ipaddr>&ip6lanprefix=<ip6lanprefix>`,
        `Domain name: ${host}`,
        `Username: ${USER}`,
        `Password: ${secret}`
      ),
    },
    {
      client: 'unifi',
      title: 'UniFi',
      where: 'Settings > Internet > WAN > Dynamic DNS, service "custom"',
      text: lines(
        `Hostname: ${host}`,
        `Username: ${USER}`,
        `Password: ${secret}`,
        `Server: ${server}${base}/nic/update?hostname=%h&myip=%i`
      ),
    },
    {
      client: 'opnsense',
      title: 'OPNsense (os-ddclient, backend "native")',
      where: 'Services > Dynamic DNS > Accounts',
      text: lines(
        'Service: Custom',
        'Protocol: Custom GET',
        `Server: ${update}?hostname=__HOSTNAME__&myip=__MYIP__&status=strict`,
        `Username: ${USER}`,
        `Password: ${secret}`,
        `Hostname(s): ${list}`,
        `Force SSL: ${isHttps ? 'on' : 'off'}`
      ),
    },
    {
      client: 'pfsense',
      title: 'pfSense',
      where: 'Services > Dynamic DNS, service type "Custom"',
      text: lines(
        `Username: ${USER}`,
        `Password: ${secret}`,
        `Update URL: ${update}?hostname=${host}&myip=%IP%`,
        'Result Match: good %IP%|nochg %IP%'
      ),
    },
    {
      client: 'synology',
      title: 'Synology DSM',
      where: 'Control Panel > External Access > DDNS > Customize Provider',
      text: lines(
        'Service provider: Zonewright',
        `Query URL: ${update}?username=__USERNAME__&password=__PASSWORD__&hostname=__HOSTNAME__&myip=__MYIP__`,
        `Hostname: ${host}`,
        `Username/Email: ${USER}`,
        `Password/Key: ${secret}`
      ),
    },
    {
      client: 'mikrotik',
      title: 'MikroTik RouterOS',
      where: 'System > Scripts, run by System > Scheduler',
      text: lines(
        ':local addr [/ip address get [find interface="ether1"] address]',
        ':set addr [:pick $addr 0 [:find $addr "/"]]',
        `/tool fetch mode=${isHttps ? 'https' : 'http'} user="${USER}" password="${secret}" \\`,
        `  url=("${update}\\3Fhostname=${list}&myip=" . $addr) output=user`
      ),
    },
    {
      client: 'openwrt',
      title: 'OpenWrt (ddns-scripts)',
      where: '/etc/config/ddns',
      text: lines(
        "config service 'zonewright'",
        "\toption enabled '1'",
        `\toption lookup_host '${host}'`,
        `\toption domain '${list}'`,
        `\toption username '${USER}'`,
        `\toption password '${secret}'`,
        `\toption update_url '${protocol}//[USERNAME]:[PASSWORD]@${server}${base}/nic/update?hostname=[DOMAIN]&myip=[IP]'`,
        `\toption use_https '${isHttps ? 1 : 0}'`,
        "\toption ip_source 'network'",
        "\toption ip_network 'wan'"
      ),
    },
    {
      client: 'curl',
      title: 'Any HTTP client',
      where: 'a command, or a link',
      text: lines(
        `curl -u ${USER}:${secret} "${update}?hostname=${list}&myip=whatismyip"`,
        `curl "${update}/${secret}?hostname=${list}&myip=whatismyip"`
      ),
    },
  ]
}

/** Orders of records that the sort keys have, and two that they do not. */
export const SORTS = [
  ...['name', 'name:desc', 'content', 'content:desc,ttl', 'name:desc,type', 'type', 'type:desc'],
  ...['type:desc,name', 'type,name:desc', 'ttl', 'ttl:desc', 'ttl,name', 'ttl:desc,name:desc'],
  ...['priority', 'priority:desc', 'priority:desc,name', 'type,ttl:desc,content'],
]

/** Orders of RRsets, likewise. */
export const SET_SORTS = [
  ...['name', 'name:desc,type', 'type', 'type:desc', 'type,name:desc', 'ttl', 'ttl:desc,name'],
  ...['ttl,type:desc', 'name,ttl:desc'],
]

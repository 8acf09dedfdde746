import '@adonisjs/core/types/http'

type ParamValue = string | number | bigint | boolean

export type ScannedRoutes = {
  ALL: {
    'ping': { paramsTuple?: []; params?: {} }
    'health': { paramsTuple?: []; params?: {} }
    'removed_api.root': { paramsTuple?: []; params?: {} }
    'removed_api.below': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
    'zones.index': { paramsTuple?: []; params?: {} }
    'zones.store': { paramsTuple?: []; params?: {} }
    'zones.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'zones.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'zones.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'records.index': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'records.store': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'records.show': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'recordId': ParamValue} }
    'records.update': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'recordId': ParamValue} }
    'records.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'recordId': ParamValue} }
  }
  GET: {
    'ping': { paramsTuple?: []; params?: {} }
    'health': { paramsTuple?: []; params?: {} }
    'removed_api.root': { paramsTuple?: []; params?: {} }
    'removed_api.below': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
    'zones.index': { paramsTuple?: []; params?: {} }
    'zones.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'records.index': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'records.show': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'recordId': ParamValue} }
  }
  HEAD: {
    'ping': { paramsTuple?: []; params?: {} }
    'health': { paramsTuple?: []; params?: {} }
    'removed_api.root': { paramsTuple?: []; params?: {} }
    'removed_api.below': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
    'zones.index': { paramsTuple?: []; params?: {} }
    'zones.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'records.index': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'records.show': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'recordId': ParamValue} }
  }
  OPTIONS: {
    'removed_api.root': { paramsTuple?: []; params?: {} }
    'removed_api.below': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  POST: {
    'removed_api.root': { paramsTuple?: []; params?: {} }
    'removed_api.below': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
    'zones.store': { paramsTuple?: []; params?: {} }
    'records.store': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
  }
  PUT: {
    'removed_api.root': { paramsTuple?: []; params?: {} }
    'removed_api.below': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
    'zones.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'records.update': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'recordId': ParamValue} }
  }
  PATCH: {
    'removed_api.root': { paramsTuple?: []; params?: {} }
    'removed_api.below': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  DELETE: {
    'removed_api.root': { paramsTuple?: []; params?: {} }
    'removed_api.below': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
    'zones.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'records.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'recordId': ParamValue} }
  }
}
declare module '@adonisjs/core/types/http' {
  export interface RoutesList extends ScannedRoutes {}
}
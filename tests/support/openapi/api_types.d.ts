// Made by `npm run api:types` of the description of the API. Not to be changed by hand.
export interface paths {
    "/v2/zones": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getZones"];
        put?: never;
        post: operations["postZones"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zones/{id}/clone": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postZonesIdClone"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zones/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getZonesId"];
        put: operations["putZonesId"];
        post?: never;
        delete: operations["deleteZonesId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zones/{id}/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getZonesIdRecords"];
        put?: never;
        post: operations["postZonesIdRecords"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zones/{id}/records/{recordId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getZonesIdRecordsRecordId"];
        put: operations["putZonesIdRecordsRecordId"];
        post?: never;
        delete: operations["deleteZonesIdRecordsRecordId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zones/{id}/records/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postZonesIdRecordsBulk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zones/{id}/rrsets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getZonesIdRrsets"];
        put: operations["putZonesIdRrsets"];
        post: operations["postZonesIdRrsets"];
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["patchZonesIdRrsets"];
        trace?: never;
    };
    "/v2/zones/{id}/rrsets/{name}/{type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getZonesIdRrsetsNameType"];
        put?: never;
        post?: never;
        delete: operations["deleteZonesIdRrsetsNameType"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postChanges"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zones/{id}/owners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getZonesIdOwners"];
        put?: never;
        post: operations["postZonesIdOwners"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zones/{id}/owners/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteZonesIdOwnersUserId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zones/{id}/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getZonesIdMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zones/{id}/metadata/{kind}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getZonesIdMetadataKind"];
        put: operations["putZonesIdMetadataKind"];
        post?: never;
        delete: operations["deleteZonesIdMetadataKind"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zone-templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getZoneTemplates"];
        put?: never;
        post: operations["postZoneTemplates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zone-templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getZoneTemplatesId"];
        put: operations["putZoneTemplatesId"];
        post?: never;
        delete: operations["deleteZoneTemplatesId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zone-templates/{id}/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getZoneTemplatesIdRecords"];
        put?: never;
        post: operations["postZoneTemplatesIdRecords"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zone-templates/{id}/records/{templateRecordId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getZoneTemplatesIdRecordsTemplateRecordId"];
        put: operations["putZoneTemplatesIdRecordsTemplateRecordId"];
        post?: never;
        delete: operations["deleteZoneTemplatesIdRecordsTemplateRecordId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zone-templates/{id}/drift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getZoneTemplatesIdDrift"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zone-templates/{id}/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postZoneTemplatesIdSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zone-templates/{id}/unlink": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postZoneTemplatesIdUnlink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zones/{id}/save-template": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postZonesIdSaveTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/dynamic-dns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postDynamicDns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/dynamic-dns/clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDynamicDnsClients"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/dynamic-dns/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDynamicDnsTokens"];
        put?: never;
        post: operations["postDynamicDnsTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/dynamic-dns/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteDynamicDnsTokensId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/dynamic-dns/recipes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDynamicDnsRecipes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zones/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getZonesIdHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zones/{id}/history/{entry}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getZonesIdHistoryEntry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zones/{id}/at": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getZonesIdAt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zones/{id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getZonesIdDiff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zones/{id}/history/{entry}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postZonesIdHistoryEntryUndo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zones/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postZonesIdRestore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zones/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getZonesIdExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zones/{id}/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postZonesIdImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/trash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTrash"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/trash/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postTrashIdRestore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/trash/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteTrashId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSearch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getExplain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zones/{id}/change-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postZonesIdChangeRequests"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/change-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getChangeRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/change-requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getChangeRequestsId"];
        put?: never;
        post?: never;
        delete: operations["deleteChangeRequestsId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/change-requests/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postChangeRequestsIdApprove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/change-requests/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postChangeRequestsIdReject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/change-requests/{id}/rebase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postChangeRequestsIdRebase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/change-requests/{id}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postChangeRequestsIdComments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zones/{id}/dnssec": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getZonesIdDnssec"];
        put?: never;
        post: operations["postZonesIdDnssec"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zones/{id}/dnssec/rectify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postZonesIdDnssecRectify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zones/{id}/dnssec/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getZonesIdDnssecKeys"];
        put?: never;
        post: operations["postZonesIdDnssecKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zones/{id}/dnssec/keys/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postZonesIdDnssecKeysImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zones/{id}/dnssec/keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getZonesIdDnssecKeysKeyId"];
        put?: never;
        post?: never;
        delete: operations["deleteZonesIdDnssecKeysKeyId"];
        options?: never;
        head?: never;
        patch: operations["patchZonesIdDnssecKeysKeyId"];
        trace?: never;
    };
    "/v2/zones/{id}/notify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postZonesIdNotify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zones/{id}/retrieve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postZonesIdRetrieve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zones/{id}/flush": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postZonesIdFlush"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/server/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getServerStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/autoprimaries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAutoprimaries"];
        put?: never;
        post: operations["postAutoprimaries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/autoprimaries/{ip}/{nameserver}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["putAutoprimariesIpNameserver"];
        post?: never;
        delete: operations["deleteAutoprimariesIpNameserver"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUsers"];
        put?: never;
        post: operations["postUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUsersId"];
        put: operations["putUsersId"];
        post?: never;
        delete: operations["deleteUsersId"];
        options?: never;
        head?: never;
        patch: operations["patchUsersId"];
        trace?: never;
    };
    "/v2/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getGroups"];
        put?: never;
        post: operations["postGroups"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/groups/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getGroupsId"];
        put: operations["putGroupsId"];
        post?: never;
        delete: operations["deleteGroupsId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/groups/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getGroupsIdMembers"];
        put?: never;
        post: operations["postGroupsIdMembers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/groups/{id}/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteGroupsIdMembersUserId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/groups/{id}/zones": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getGroupsIdZones"];
        put?: never;
        post: operations["postGroupsIdZones"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/groups/{id}/zones/{zoneId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteGroupsIdZonesZoneId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/permission-templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPermissionTemplates"];
        put?: never;
        post: operations["postPermissionTemplates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/permission-templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPermissionTemplatesId"];
        put: operations["putPermissionTemplatesId"];
        post?: never;
        delete: operations["deletePermissionTemplatesId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPermissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/permissions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPermissionsId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getApiKeys"];
        put?: never;
        post: operations["postApiKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getApiKeysId"];
        put: operations["putApiKeysId"];
        post?: never;
        delete: operations["deleteApiKeysId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/api-keys/{id}/regenerate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postApiKeysIdRegenerate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/api-keys/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postApiKeysIdEnable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/api-keys/{id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postApiKeysIdDisable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWebhooks"];
        put?: never;
        post: operations["postWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWebhooksId"];
        put: operations["putWebhooksId"];
        post?: never;
        delete: operations["deleteWebhooksId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/webhooks/{id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postWebhooksIdSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postWebhooksIdTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWebhooksIdDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/webhooks/{id}/deliveries/{delivery}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postWebhooksIdDeliveriesDeliveryReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/jobs/{job}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getJobsJobRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/jobs/{job}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postJobsJobRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ZoneItem: {
            id: number;
            canonical_id: number;
            name: string;
            /** @enum {string} */
            type: "MASTER" | "SLAVE" | "NATIVE" | "PRODUCER" | "CONSUMER";
            created_at: null;
        };
        Zone: {
            id: number;
            canonical_id: number;
            name: string;
            /** @enum {string} */
            type: "MASTER" | "SLAVE" | "NATIVE" | "PRODUCER" | "CONSUMER";
            master: string | null;
            masters: string | null;
            account: string | null;
            description: string | null;
            created_at: null;
        };
        RecordId: number | string;
        RecordItem: {
            id: components["schemas"]["RecordId"];
            name: string;
            type: string;
            content: string;
            ttl: number;
            priority: number;
            disabled: boolean;
            auth: boolean;
        };
        RRsetItem: {
            name: string;
            type: string;
            ttl: number;
            records: {
                content: string;
                priority: number;
                disabled: boolean;
            }[];
        };
        RRset: {
            name: string;
            type: string;
            ttl: number;
            records: {
                content: string;
                priority: number;
                disabled: boolean;
            }[];
        };
        Warning: {
            rule: string;
            name: string;
            type: string;
            message: string;
        };
        RRsetChange: {
            name: string;
            type: string;
            operations: ("create" | "update" | "delete")[];
            before?: {
                ttl: number;
                records: {
                    content: string;
                    priority: number;
                    disabled: boolean;
                    comment?: string;
                }[];
            } | null;
            after?: {
                ttl: number;
                records: {
                    content: string;
                    priority: number;
                    disabled: boolean;
                    comment?: string;
                }[];
            } | null;
        };
        PlannedZone: {
            zone_id: number | null;
            zone_name: string;
            serial_before: number | null;
            serial_after: number | null;
            /** @enum {string} */
            review: "direct" | "request" | "refused";
            changes: components["schemas"]["RRsetChange"][];
            warnings: components["schemas"]["Warning"][];
            properties?: {
                before: Record<string, never> | null;
                after: Record<string, never> | null;
            };
            reason?: string;
        };
        RRsetName: {
            name: string;
            type: string;
        };
        Plan: {
            plan_hash: string;
            zones: components["schemas"]["PlannedZone"][];
        };
        Change: {
            zones: {
                zone_id: number;
                zone_name: string;
                entry: number | null;
                serial_before: number | null;
                serial_after: number | null;
                changes: components["schemas"]["RRsetChange"][];
                warnings: components["schemas"]["Warning"][];
            }[];
        };
        Entry: {
            entry: number;
            zone_id: number;
            zone_name: string;
            /** Format: date-time */
            time: string;
            actor: {
                user_id: number | null;
                username: string | null;
                api_key_id: number | null;
                address: string | null;
            };
            /** @enum {string} */
            door: "api" | "web" | "dyndns" | "cli" | "job" | "outside";
            reason: string | null;
            serial_before: number | null;
            serial_after: number | null;
            origin: {
                kind: ("undo" | "restore" | "request" | "template" | "import" | "bulk" | "clone") | null;
                id: number | string | null;
            };
            properties?: {
                before: components["schemas"]["Properties"] | null;
                after: components["schemas"]["Properties"] | null;
            };
            changes?: components["schemas"]["RRsetChange"][];
        };
        Properties: {
            name?: string;
            /** @enum {string} */
            kind?: "MASTER" | "SLAVE" | "NATIVE" | "PRODUCER" | "CONSUMER";
            masters?: string[];
            account?: string | null;
            description?: string | null;
            metadata?: {
                [key: string]: string[];
            };
        };
        ZoneThen: {
            id: number;
            name: string;
            /** @enum {string} */
            type: "MASTER" | "SLAVE" | "NATIVE" | "PRODUCER" | "CONSUMER";
            masters: string | null;
            account: string | null;
            description: string | null;
            entry: number;
            /** Format: date-time */
            time: string | null;
            serial: number | null;
        };
        TrashedZone: {
            id: number;
            zone_id: number;
            zone_name: string;
            /** Format: date-time */
            deleted_at: string;
            deleted_by: {
                user_id: number | null;
                username: string | null;
            };
        };
        Metadata: {
            kind: string;
            values: string[];
        };
        ZoneOwner: {
            user_id: number;
            username: string;
            fullname: string;
        };
        SigningStatus: {
            enabled: boolean;
            presigned: boolean;
            ds_records: {
                key_tag: number;
                algorithm: number;
                digest_type: number;
                digest: string;
            }[];
            dnskey: string | null;
        };
        SigningKey: {
            id: number;
            /** @enum {string} */
            type: "ksk" | "zsk" | "csk";
            keytag: number;
            algorithm: string;
            algorithm_id: number;
            bits: number;
            active: boolean;
            sep: boolean;
            dnskey: string;
            ds: string[];
        };
        SearchResult: {
            /** @enum {string} */
            kind: "zone" | "record" | "comment";
            zone_id: number;
            zone_name: string;
            record_id: (number | string) | null;
            name: string;
            type: string | null;
            content: string | null;
            score: number;
        };
        ZoneTemplateItem: {
            id: number;
            name: string;
            description: string;
            owner: number;
            is_global: boolean;
            zones_linked: number;
        };
        ZoneTemplate: {
            id: number;
            name: string;
            description: string;
            owner: number;
            is_global: boolean;
            records: components["schemas"]["TemplateRecord"][];
        };
        TemplateRecord: {
            id: number;
            name: string;
            type: string;
            content: string;
            ttl: number;
            priority: number;
        };
        TemplateDifference: {
            name: string;
            type: string;
            /** @enum {string} */
            cause: "template" | "zone" | "both";
            template: {
                ttl: number;
                records: {
                    content: string;
                    priority: number;
                    disabled: boolean;
                }[];
            } | null;
            zone: {
                ttl: number;
                records: {
                    content: string;
                    priority: number;
                    disabled: boolean;
                }[];
            } | null;
            keep: {
                ttl: number;
                records: {
                    content: string;
                    priority: number;
                    disabled: boolean;
                }[];
            } | null;
            overwrite: {
                ttl: number;
                records: {
                    content: string;
                    priority: number;
                    disabled: boolean;
                }[];
            } | null;
        };
        DriftingZone: {
            zone_id: number;
            zone_name: string;
            /** Format: date-time */
            synced_at: string;
            /** @enum {string} */
            state: "in_sync" | "differs" | "changed" | "refused";
            differences: components["schemas"]["TemplateDifference"][];
            message?: string;
        };
        SyncedZone: {
            zone_id: number;
            status: number;
            message: string;
            zone_name?: string;
            entry?: number | null;
            serial_before?: number | null;
            serial_after?: number | null;
            changes?: components["schemas"]["RRsetChange"][];
            warnings?: components["schemas"]["Warning"][];
            kept?: components["schemas"]["TemplateDifference"][];
            /** @enum {string} */
            review?: "direct" | "request" | "refused";
            reason?: string;
            plan_hash?: string;
        };
        DynamicUpdate: {
            hostname: string;
            zone_id: number;
            applied_ipv4: string[];
            applied_ipv6: string[];
            changed: boolean;
        };
        HostToken: {
            id: number;
            name: string;
            prefix: string;
            owner: {
                id: number;
                username: string;
            };
            enabled: boolean;
            hostnames: string[];
            txt: boolean;
            networks: string[];
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            last_used_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        DyndnsRecipe: {
            client: string;
            title: string;
            where: string;
            text: string;
        };
        DyndnsClient: {
            id: number;
            hostname: string;
            zone: {
                id: number;
                name: string;
            };
            ipv4: string[];
            ipv6: string[];
            last_code: string;
            /** Format: date-time */
            first_seen_at: string;
            /** Format: date-time */
            last_seen_at: string;
            /** Format: date-time */
            last_change_at: string | null;
            requests: number;
            changes: number;
            recent_changes: string[];
            flapping: boolean;
            client_address: string | null;
            user_agent: string | null;
            door: string | null;
            username: string | null;
            api_key_id: number | null;
            refused: {
                /** Format: date-time */
                at: string;
                address: string | null;
                user_agent: string | null;
            } | null;
        };
        Somebody: {
            id: number | null;
            username: string;
        };
        RequestAction: {
            /** @enum {string} */
            op: "add" | "edit" | "delete" | "zone_delete" | "set" | "remove" | "clear";
            record_id?: components["schemas"]["RecordId"];
            zone_id?: number;
            name?: string;
            type?: string;
            ttl?: number;
            records?: {
                content: string;
                priority: number;
                disabled: boolean;
            }[];
            before?: {
                name: string;
                type: string;
                content: string;
                ttl: number;
                prio: number;
                disabled: number;
                comment: string;
            } | {
                records: {
                    content: string;
                    priority: number;
                    disabled: boolean;
                }[];
                ttl?: number;
            } | null;
            after?: {
                name: string;
                type: string;
                content: string;
                ttl: number;
                prio: number;
                disabled: number;
                comment: string;
            };
            done?: boolean;
        };
        ChangeRequest: {
            id: number;
            zone_id: number;
            zone_name: string;
            /** @enum {string} */
            kind: "records" | "zone_delete";
            /** @enum {string} */
            status: "pending" | "approved" | "rejected" | "cancelled" | "failed";
            requester: components["schemas"]["Somebody"];
            request_comment: string | null;
            base_serial: string | null;
            actions: components["schemas"]["RequestAction"][];
            zone_comment: null;
            reviewer: components["schemas"]["Somebody"] | null;
            review_comment: string | null;
            created_at: string;
            reviewed_at: string | null;
            applied_at: string | null;
            error: string | null;
            approvals: {
                user: components["schemas"]["Somebody"];
                comment: string | null;
                created_at: string;
            }[];
            /** Format: date-time */
            apply_at: string | null;
            zones?: {
                id: number;
                name: string;
            }[];
        };
        ReviewedRequest: {
            id: number;
            zone_id: number;
            zone_name: string;
            /** @enum {string} */
            kind: "records" | "zone_delete";
            /** @enum {string} */
            status: "pending" | "approved" | "rejected" | "cancelled" | "failed";
            requester: components["schemas"]["Somebody"];
            request_comment: string | null;
            base_serial: string | null;
            actions: components["schemas"]["RequestAction"][];
            zone_comment: null;
            reviewer: components["schemas"]["Somebody"] | null;
            review_comment: string | null;
            created_at: string;
            reviewed_at: string | null;
            applied_at: string | null;
            error: string | null;
            approvals: {
                user: components["schemas"]["Somebody"];
                comment: string | null;
                created_at: string;
            }[];
            /** Format: date-time */
            apply_at: string | null;
            plan: components["schemas"]["Plan"] | null;
            effects: {
                name: string;
                type: string;
                /** @enum {string} */
                kind: "appears" | "disappears" | "changes" | "retimed";
                message: string;
            }[] | null;
            risk: {
                /** @enum {string} */
                level: "low" | "medium" | "high";
                reasons: {
                    rule: string;
                    /** @enum {string} */
                    level: "medium" | "high";
                    message: string;
                }[];
            } | null;
            problem: string | null;
            approvals_needed: number;
            /** Format: date-time */
            expires_at: string | null;
            comments: components["schemas"]["RequestComment"][];
            zones?: {
                id: number;
                name: string;
            }[];
        };
        RequestComment: {
            id: number;
            user: components["schemas"]["Somebody"];
            action: number | null;
            text: string;
            created_at: string;
        };
        UserItem: {
            user_id: number;
            username: string;
            fullname: string;
            email: string;
            description: string;
            active: boolean;
            use_ldap: boolean;
            perm_templ: number;
            perm_templ_name: string | null;
            zone_count: number;
            is_admin: boolean;
            groups: {
                id: number;
                name: string;
            }[];
        };
        User: {
            user_id: number;
            username: string;
            fullname: string;
            email: string;
            description: string;
            active: boolean;
            use_ldap: boolean;
            perm_templ: number;
            perm_templ_name: string | null;
            is_admin: boolean;
            permissions: string[];
            groups: {
                id: number;
                name: string;
            }[];
            created_at: null;
            updated_at: null;
        };
        GroupItem: {
            id: number;
            name: string;
            description: string;
            perm_templ_id: number;
            created_at: string;
            member_count: number;
            zone_count: number;
        };
        Group: {
            id: number;
            name: string;
            description: string;
            perm_templ_id: number;
            created_at: string;
            member_count: number;
            zone_count: number;
            members: {
                user_id: number;
                username: string;
            }[];
            zones: {
                zone_id: number;
                zone_name: string;
            }[];
        };
        ChangedGroup: {
            id: number;
            name: string;
            description: string;
            perm_templ_id: number;
            created_at: string;
            updated_at: string;
        };
        Member: {
            user_id: number;
            username: string;
            fullname: string;
            email: string | null;
            joined_at: string;
        };
        GroupZone: {
            zone_id: number;
            zone_name: string;
            zone_type: string;
            created_at: string;
        };
        PermissionTemplateItem: {
            id: number;
            name: string;
            descr: string;
            description: string;
            /** @enum {string} */
            template_type: "user" | "group";
        };
        PermissionTemplate: {
            id: number;
            name: string;
            descr: string;
            description: string;
            /** @enum {string} */
            template_type: "user" | "group";
            permissions: components["schemas"]["Permission"][];
        };
        Permission: {
            id: number;
            name: string;
            descr: string;
            description: string;
        };
        ApiKey: {
            id: number;
            name: string;
            prefix: string;
            owner: {
                id: number;
                username: string;
            };
            enabled: boolean;
            read_only: boolean;
            operations: ("view" | "create" | "update" | "delete")[];
            zones: {
                id: number;
                name: string;
            }[];
            zone_restricted: boolean;
            patterns: {
                name: string;
                types: string[];
            }[];
            pattern_restricted: boolean;
            networks: string[];
            /** Format: date-time */
            expires_at: string | null;
            idle_days: number | null;
            /** Format: date-time */
            last_used_at: string | null;
            last_used_from: string | null;
            /** Format: date-time */
            created_at: string;
            purpose: string | null;
        };
        Reason: {
            rule: string;
            message: string;
            source: string;
        };
        EventActor: {
            user_id: number | null;
            username: string | null;
            api_key_id: number | null;
            address: string | null;
            door: string;
        };
        AuditEntry: {
            id: number;
            /** Format: date-time */
            time: string;
            actor: components["schemas"]["EventActor"];
            action: string;
            object: {
                /** @enum {string} */
                kind: "user" | "key" | "group" | "template" | "zone" | "zone_template" | "job" | "webhook";
                id: number | null;
                name: string | null;
            } | null;
            /** @enum {string} */
            outcome: "success" | "denied" | "failed";
            detail: unknown;
            position: number | null;
            hash: string | null;
        };
        AutoprimaryItem: {
            id: string;
            ip: string;
            nameserver: string;
            account: string;
        };
        Autoprimary: {
            ip: string;
            nameserver: string;
            account: string;
        };
        AddedOwners: {
            added: number[];
            skipped: number[];
            not_found: number[];
        };
        UserReference: {
            id: number | null;
            username: string | null;
        };
        JobRun: {
            id: number;
            job: string;
            /** Format: date-time */
            due_at: string;
            /** @enum {string} */
            cause: "schedule" | "catch-up" | "retry" | "manual";
            missed: number;
            /** @enum {string} */
            outcome: "succeeded" | "queued" | "running" | "failed" | "timed_out" | "stopped" | "lost";
            node: string | null;
            requested_by: string | null;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
            exit_code: number | null;
            output: string | null;
        };
        Job: {
            name: string;
            command: string;
            cron: string | null;
            timezone: string;
            enabled: boolean;
            timeout_seconds: number;
            /** Format: date-time */
            next_run_at: string | null;
            failures: number;
            last_run: {
                id: number;
                job: string;
                /** Format: date-time */
                due_at: string;
                /** @enum {string} */
                cause: "schedule" | "catch-up" | "retry" | "manual";
                missed: number;
                /** @enum {string} */
                outcome: "succeeded" | "queued" | "running" | "failed" | "timed_out" | "stopped" | "lost";
                node: string | null;
                requested_by: string | null;
                /** Format: date-time */
                started_at: string | null;
                /** Format: date-time */
                ended_at: string | null;
                exit_code: number | null;
                output: string | null;
            } | null;
        };
        Webhook: {
            id: number;
            name: string;
            url: string;
            types: string[];
            enabled: boolean;
            waiting: number;
            failures: number;
            /** Format: date-time */
            retry_at: string | null;
            last_error: string | null;
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
        };
        Event: {
            id: number;
            type: string;
            /** Format: date-time */
            time: string;
            zone_id: number | null;
            zone_name: string | null;
            entry: number | null;
            actor: components["schemas"]["EventActor"] | null;
            object?: {
                kind: string | null;
                id: number | null;
                name: string | null;
            } | null;
            detail?: unknown;
        };
        WebhookDelivery: {
            id: number;
            event_id: number;
            type: string;
            zone_id: number | null;
            /** @enum {string} */
            state: "waiting" | "delivered" | "given_up";
            attempts: number;
            status: number | null;
            error: string | null;
            milliseconds: number | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            next_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
            body: components["schemas"]["Event"];
        };
        Refusal: {
            /** @enum {unknown} */
            success: false;
            data: null;
            message: string;
            meta?: {
                timestamp: string;
            };
        };
    };
    responses: {
        Refusal400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        Refusal401: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        Refusal403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        Refusal404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        Refusal409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        Refusal412: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @enum {unknown} */
                    success: false;
                    data: {
                        current: unknown;
                    } | null;
                    message: string;
                };
            };
        };
        Refusal413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        Refusal422: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        Refusal502: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @enum {unknown} */
                    success: false;
                    data: {
                        zones: {
                            name: string;
                            /** @enum {string} */
                            state: "written" | "unknown" | "untouched";
                        }[];
                    } | null;
                    message: string;
                };
            };
        };
        Refusal503: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getZones: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: string;
                name?: string;
                tree?: "forward" | "ipv4" | "ipv6";
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            zones: components["schemas"]["ZoneItem"][];
                        };
                        message: string;
                        meta: {
                            timestamp: string;
                        };
                        pagination?: {
                            current_page: number;
                            per_page: number;
                            total: number;
                            last_page: number;
                        };
                        next_cursor?: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postZones: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    type?: string;
                    master?: string | string[];
                    masters?: string | string[];
                    description?: string;
                    account?: string;
                    owner_user_id?: number | null;
                    group_ids?: number[];
                    soa_edit_api?: string;
                    enable_dnssec?: boolean;
                    template?: string | number;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            zone_id: number;
                            warnings?: components["schemas"]["Warning"][];
                            /** @enum {string} */
                            dnssec?: "signed" | "not_signed" | "unconfirmed";
                            dnssec_message?: string;
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postZonesIdClone: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    description?: string;
                    owner_user_id?: number | null;
                    group_ids?: number[];
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            zone_id: number;
                            warnings?: components["schemas"]["Warning"][];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getZonesId: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            zone: components["schemas"]["Zone"];
                        };
                        message: string;
                    };
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    putZonesId: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "If-Match"?: string;
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    type?: string;
                    master?: string | string[];
                    masters?: string | string[];
                    description?: string;
                    account?: string;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            zone: components["schemas"]["Zone"];
                            warnings?: components["schemas"]["Warning"][];
                        };
                        message: string;
                    };
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            change_request: components["schemas"]["ChangeRequest"];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            412: components["responses"]["Refusal412"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    deleteZonesId: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "If-Match"?: string;
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            412: components["responses"]["Refusal412"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getZonesIdRecords: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: string;
                type?: string;
                name?: string;
                content?: string;
                q?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            records: components["schemas"]["RecordItem"][];
                        };
                        message: string;
                        pagination?: {
                            current_page: number;
                            per_page: number;
                            total: number;
                            last_page: number;
                        };
                        next_cursor?: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postZonesIdRecords: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "If-None-Match"?: string;
                "If-Match"?: string;
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    type: string;
                    content: string;
                    ttl?: number;
                    priority?: number;
                    disabled?: boolean;
                    create_ptr?: boolean;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            record: {
                                id: components["schemas"]["RecordId"];
                                zone_id: number;
                                name: string;
                                type: string;
                                content: string;
                                ttl: number;
                                priority: number;
                                disabled: boolean;
                                auth: boolean;
                                ptr_created: boolean;
                            };
                            warnings?: components["schemas"]["Warning"][];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            412: components["responses"]["Refusal412"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getZonesIdRecordsRecordId: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                id: number;
                recordId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            record: {
                                id: components["schemas"]["RecordId"];
                                zone_id: number;
                                name: string;
                                type: string;
                                content: string;
                                ttl: number;
                                priority: number;
                                disabled: boolean;
                                auth: boolean;
                            };
                        };
                        message: string;
                    };
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    putZonesIdRecordsRecordId: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "If-Match"?: string;
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
                recordId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    type?: string;
                    content?: string;
                    ttl?: number;
                    priority?: number;
                    disabled?: boolean;
                    update_ptr?: boolean;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            record: {
                                id: components["schemas"]["RecordId"];
                                zone_id: number;
                                name: string;
                                type: string;
                                content: string;
                                ttl: number;
                                priority: number;
                                disabled: boolean;
                                auth: boolean;
                                ptr_updated: boolean;
                            };
                            warnings?: components["schemas"]["Warning"][];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            412: components["responses"]["Refusal412"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    deleteZonesIdRecordsRecordId: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "If-Match"?: string;
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
                recordId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            412: components["responses"]["Refusal412"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postZonesIdRecordsBulk: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "If-Match"?: string;
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    operations: {
                        action: string;
                        id?: string | number;
                        name?: string;
                        type?: string;
                        content?: string;
                        ttl?: number;
                        priority?: number;
                        disabled?: boolean;
                    }[];
                    comment?: string;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            total_operations: number;
                            created: number;
                            updated: number;
                            deleted: number;
                            failed: number;
                            errors: string[];
                            warnings?: components["schemas"]["Warning"][];
                        };
                        message: string;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            total_operations: number;
                            created: number;
                            updated: number;
                            deleted: number;
                            failed: number;
                            errors: string[];
                        } | null;
                        message: string;
                    };
                };
            };
            401: components["responses"]["Refusal401"];
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            total_operations: number;
                            created: number;
                            updated: number;
                            deleted: number;
                            failed: number;
                            errors: string[];
                        } | null;
                        message: string;
                    };
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            total_operations: number;
                            created: number;
                            updated: number;
                            deleted: number;
                            failed: number;
                            errors: string[];
                        } | null;
                        message: string;
                    };
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            total_operations: number;
                            created: number;
                            updated: number;
                            deleted: number;
                            failed: number;
                            errors: string[];
                        } | null;
                        message: string;
                    };
                };
            };
            412: components["responses"]["Refusal412"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getZonesIdRrsets: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: string;
                type?: string;
                name?: string;
                content?: string;
                q?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            rrsets: components["schemas"]["RRsetItem"][];
                        };
                        message: string;
                        pagination?: {
                            current_page: number;
                            per_page: number;
                            total: number;
                            last_page: number;
                        };
                        next_cursor?: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    putZonesIdRrsets: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "If-None-Match"?: string;
                "If-Match"?: string;
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    type: string;
                    ttl?: number;
                    records: {
                        content?: string;
                        priority?: number;
                        disabled?: boolean;
                    }[];
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            rrset: components["schemas"]["RRset"];
                            warnings?: components["schemas"]["Warning"][];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            412: components["responses"]["Refusal412"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postZonesIdRrsets: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "If-None-Match"?: string;
                "If-Match"?: string;
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    type: string;
                    ttl?: number;
                    records: {
                        content?: string;
                        priority?: number;
                        disabled?: boolean;
                    }[];
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            rrset: components["schemas"]["RRset"];
                            warnings?: components["schemas"]["Warning"][];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            412: components["responses"]["Refusal412"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    patchZonesIdRrsets: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "If-None-Match"?: string;
                "If-Match"?: string;
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    type: string;
                    ttl?: number;
                    records: {
                        content?: string;
                        priority?: number;
                        disabled?: boolean;
                    }[];
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            rrset: components["schemas"]["RRset"];
                            warnings?: components["schemas"]["Warning"][];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            412: components["responses"]["Refusal412"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getZonesIdRrsetsNameType: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                id: number;
                name: string;
                type: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            rrset: components["schemas"]["RRset"];
                        };
                        message: string;
                    };
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    deleteZonesIdRrsetsNameType: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "If-Match"?: string;
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
                name: string;
                type: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            412: components["responses"]["Refusal412"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postChanges: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    actions: {
                        /** @enum {unknown} */
                        op: "add" | "set" | "remove" | "clear";
                        name: string;
                        type: string;
                        ttl?: number;
                        records?: {
                            content?: string;
                            priority?: number;
                            disabled?: boolean;
                            comment?: string;
                        }[];
                        /** @enum {unknown} */
                        expect?: "absent" | "present" | "any";
                        if_match?: string;
                        zone_id?: number;
                    }[];
                    plan_hash?: string;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            change: components["schemas"]["Change"];
                        };
                        message: string;
                    };
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            change_request: components["schemas"]["ChangeRequest"];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            plan: components["schemas"]["Plan"] | null;
                            moved?: components["schemas"]["RRsetName"][];
                        } | null;
                        message: string;
                    };
                };
            };
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            current: unknown;
                        } | null;
                        message: string;
                    };
                };
            };
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getZonesIdOwners: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            owners: components["schemas"]["ZoneOwner"][];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postZonesIdOwners: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    user_id?: number;
                    user_ids?: (number | string)[];
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: components["schemas"]["AddedOwners"];
                        message: string;
                    };
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: components["schemas"]["AddedOwners"] | null;
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    deleteZonesIdOwnersUserId: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
                userId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: null;
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getZonesIdMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            metadata: components["schemas"]["Metadata"][];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getZonesIdMetadataKind: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                id: number;
                kind: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: components["schemas"]["Metadata"];
                        message: string;
                    };
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    putZonesIdMetadataKind: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "If-Match"?: string;
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
                kind: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    values: string[];
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: null;
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            412: components["responses"]["Refusal412"];
            413: components["responses"]["Refusal413"];
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    deleteZonesIdMetadataKind: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "If-Match"?: string;
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
                kind: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: null;
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            412: components["responses"]["Refusal412"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getZoneTemplates: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: string;
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            templates: components["schemas"]["ZoneTemplateItem"][];
                        };
                        message: string;
                        pagination?: {
                            current_page: number;
                            per_page: number;
                            total: number;
                            last_page: number;
                        };
                        next_cursor?: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postZoneTemplates: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    descr?: string;
                    description?: string;
                    is_global?: boolean;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            id: number;
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getZoneTemplatesId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            template: components["schemas"]["ZoneTemplate"];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    putZoneTemplatesId: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    descr?: string;
                    description?: string;
                    is_global?: boolean;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: null;
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    deleteZoneTemplatesId: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: null;
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getZoneTemplatesIdRecords: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: string;
                type?: string;
                name?: string;
                content?: string;
                q?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            records: components["schemas"]["TemplateRecord"][];
                        };
                        message: string;
                        pagination?: {
                            current_page: number;
                            per_page: number;
                            total: number;
                            last_page: number;
                        };
                        next_cursor?: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postZoneTemplatesIdRecords: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    type: string;
                    content: string;
                    ttl?: number;
                    priority?: number;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            id: number;
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getZoneTemplatesIdRecordsTemplateRecordId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
                templateRecordId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            record: components["schemas"]["TemplateRecord"];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    putZoneTemplatesIdRecordsTemplateRecordId: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
                templateRecordId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    type?: string;
                    content?: string;
                    ttl?: number;
                    priority?: number;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: null;
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    deleteZoneTemplatesIdRecordsTemplateRecordId: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
                templateRecordId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: null;
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getZoneTemplatesIdDrift: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            zones: components["schemas"]["DriftingZone"][];
                        };
                        message: string;
                        pagination?: {
                            current_page: number;
                            per_page: number;
                            total: number;
                            last_page: number;
                        };
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postZoneTemplatesIdSync: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    zones: number[];
                    /** @enum {unknown} */
                    local_changes?: "keep" | "overwrite";
                    link?: boolean;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            zones: components["schemas"]["SyncedZone"][];
                        };
                        message: string;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            zones: components["schemas"]["SyncedZone"][];
                        } | null;
                        message: string;
                    };
                };
            };
            401: components["responses"]["Refusal401"];
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            zones: components["schemas"]["SyncedZone"][];
                        } | null;
                        message: string;
                    };
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            zones: components["schemas"]["SyncedZone"][];
                        } | null;
                        message: string;
                    };
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            zones: components["schemas"]["SyncedZone"][];
                        } | null;
                        message: string;
                    };
                };
            };
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postZoneTemplatesIdUnlink: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    zones: number[];
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: null;
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postZonesIdSaveTemplate: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    descr?: string;
                    description?: string;
                    is_global?: boolean;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            id: number;
                            records: number;
                            left_out: {
                                name: string;
                                type: string;
                                reason: string;
                            }[];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postDynamicDns: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    hostname: string;
                    ipv4?: string;
                    ipv6?: string;
                    dualstack?: boolean;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: components["schemas"]["DynamicUpdate"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getDynamicDnsClients: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: string;
                hostname?: string;
                last_code?: string;
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            clients: components["schemas"]["DyndnsClient"][];
                        };
                        message: string;
                        pagination?: {
                            current_page: number;
                            per_page: number;
                            total: number;
                            last_page: number;
                        };
                        next_cursor?: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getDynamicDnsTokens: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: string;
                q?: string;
                user_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            tokens: components["schemas"]["HostToken"][];
                        };
                        message: string;
                        pagination?: {
                            current_page: number;
                            per_page: number;
                            total: number;
                            last_page: number;
                        };
                        next_cursor?: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postDynamicDnsTokens: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    hostname?: string;
                    hostnames?: string[];
                    txt?: boolean;
                    name?: string;
                    user_id?: number;
                    networks?: string[];
                    expires_at?: string | null;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            token: components["schemas"]["HostToken"];
                            secret: string;
                            recipes: components["schemas"]["DyndnsRecipe"][];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    deleteDynamicDnsTokensId: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getDynamicDnsRecipes: {
        parameters: {
            query: {
                hostname: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            recipes: components["schemas"]["DyndnsRecipe"][];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getZonesIdHistory: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                include?: string;
                name?: string;
                type?: string;
                user?: string;
                door?: string;
                action?: string;
                since?: string;
                until?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            entries: components["schemas"]["Entry"][];
                            next_cursor: string | null;
                        };
                        message: string;
                        pagination?: {
                            current_page: number;
                            per_page: number;
                            total: number;
                            last_page: number;
                        };
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getZonesIdHistoryEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
                entry: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            entry: components["schemas"]["Entry"];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getZonesIdAt: {
        parameters: {
            query?: {
                entry?: number;
                time?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            zone: components["schemas"]["ZoneThen"];
                            rrsets: components["schemas"]["RRsetItem"][];
                        };
                        message: string;
                    };
                    "text/dns": unknown;
                    "text/csv": unknown;
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getZonesIdDiff: {
        parameters: {
            query: {
                from: string;
                to?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            from: number;
                            to: number;
                            properties: {
                                before: components["schemas"]["Properties"];
                                after: components["schemas"]["Properties"];
                            };
                            changes: components["schemas"]["RRsetChange"][];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postZonesIdHistoryEntryUndo: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "If-Match"?: string;
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
                entry: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    merge?: boolean;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            change: components["schemas"]["Change"];
                        };
                        message: string;
                    };
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            change_request: components["schemas"]["ChangeRequest"];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            conflicts: {
                                name: string;
                                type: string;
                                entry: number | null;
                                property?: string;
                                kind?: string;
                            }[];
                        } | null;
                        message: string;
                    };
                };
            };
            412: components["responses"]["Refusal412"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postZonesIdRestore: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "If-Match"?: string;
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    entry?: number;
                    time?: string;
                    name?: string;
                    type?: string;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            change: components["schemas"]["Change"];
                        };
                        message: string;
                    };
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            change_request: components["schemas"]["ChangeRequest"];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            412: components["responses"]["Refusal412"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getZonesIdExport: {
        parameters: {
            query?: {
                format?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            zone_file: string;
                        };
                        message: string;
                    };
                    "text/dns": unknown;
                    "text/csv": unknown;
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postZonesIdImport: {
        parameters: {
            query?: {
                mode?: string;
                format?: string;
                plan_hash?: string;
                dry_run?: boolean;
            };
            header?: {
                "If-Match"?: string;
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    zone_file: string;
                    /** @enum {unknown} */
                    format?: "zone" | "dig" | "csv";
                    /** @enum {unknown} */
                    mode?: "merge" | "replace";
                    plan_hash?: string;
                    dry_run?: boolean;
                    reason?: string;
                };
                "text/dns": unknown;
                "text/csv": unknown;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            change: components["schemas"]["Change"];
                        };
                        message: string;
                    };
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            change_request: components["schemas"]["ChangeRequest"];
                        };
                        message: string;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            problems: {
                                line: number;
                                field: string;
                                message: string;
                                /** @enum {string} */
                                severity: "error" | "warning";
                                column?: number;
                            }[];
                        } | null;
                        message: string;
                    };
                };
            };
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            plan?: components["schemas"]["Plan"] | null;
                            moved?: components["schemas"]["RRsetName"][];
                        } | null;
                        message: string;
                    };
                };
            };
            412: components["responses"]["Refusal412"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getTrash: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            zones: components["schemas"]["TrashedZone"][];
                        };
                        message: string;
                        pagination?: {
                            current_page: number;
                            per_page: number;
                            total: number;
                            last_page: number;
                        };
                        next_cursor?: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postTrashIdRestore: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            zone_id: number;
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    deleteTrashId: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getSearch: {
        parameters: {
            query: {
                q: string;
                page?: number;
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            results: components["schemas"]["SearchResult"][];
                            is_complete: boolean;
                        };
                        message: string;
                        pagination?: {
                            current_page: number;
                            per_page: number;
                            total: number;
                            last_page: number;
                        };
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getAudit: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                user?: string;
                action?: string;
                object?: string;
                since?: string;
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            entries: components["schemas"]["AuditEntry"][];
                        };
                        message: string;
                        pagination?: {
                            current_page: number;
                            per_page: number;
                            total: number;
                            last_page: number;
                        };
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getExplain: {
        parameters: {
            query: {
                action: "zone.view" | "zone.view_history" | "zone.view_owners" | "zone.view_metadata" | "zone.edit_records" | "rrset.write" | "zone.edit_description" | "zone.edit_properties" | "zone.edit_owners" | "zone.edit_metadata" | "zone.manage_dnssec" | "zone.tell_server" | "zone.link_template" | "zone.delete" | "zone.request_changes" | "zone.request_deletion" | "zone.review" | "zone.create" | "zone.create_for_others" | "server.view_status" | "server.view_autoprimaries" | "server.add_autoprimaries" | "server.edit_autoprimaries" | "server.manage_jobs" | "server.manage_webhooks" | "trash.discard" | "user.list" | "user.create" | "user.set_groups" | "group.manage" | "permission.view" | "template.view" | "api_key.list" | "api_key.create";
                zone_id?: number;
                name?: string;
                type?: string;
                user_id?: number;
                api_key_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            /** @enum {string} */
                            decision: "allow" | "deny" | "request";
                            reasons: components["schemas"]["Reason"][];
                            action: string;
                            user: components["schemas"]["UserReference"];
                            api_key_id: number | null;
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postZonesIdChangeRequests: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    actions: {
                        op: string;
                        record_id?: string | number;
                        record?: {
                            name?: string;
                            type?: string;
                            content?: string;
                            ttl?: number;
                            priority?: number;
                            disabled?: boolean;
                            comment?: string;
                        };
                        name?: string;
                        type?: string;
                        ttl?: number;
                        records?: {
                            content?: string;
                            priority?: number;
                            disabled?: boolean;
                            comment?: string;
                        }[];
                    }[];
                    comment?: string;
                    apply_at?: string;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            change_request: components["schemas"]["ChangeRequest"];
                            change_requests: components["schemas"]["ChangeRequest"][];
                        };
                        message: string;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            errors?: string[];
                        } | null;
                        message: string;
                    };
                };
            };
            401: components["responses"]["Refusal401"];
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            errors?: string[];
                        } | null;
                        message: string;
                    };
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            errors?: string[];
                        } | null;
                        message: string;
                    };
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            errors?: string[];
                        } | null;
                        message: string;
                    };
                };
            };
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getChangeRequests: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                status?: "pending" | "approved" | "rejected" | "cancelled" | "failed" | "all";
                zone_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            change_requests: components["schemas"]["ChangeRequest"][];
                        };
                        message: string;
                        pagination?: {
                            current_page: number;
                            per_page: number;
                            total: number;
                            last_page: number;
                        };
                        next_cursor?: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getChangeRequestsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            change_request: components["schemas"]["ReviewedRequest"];
                            stale_actions: number[];
                            base_serial_mismatch: boolean;
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    deleteChangeRequestsId: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            change_request: components["schemas"]["ChangeRequest"];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postChangeRequestsIdApprove: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    comment?: string;
                    plan_hash?: string;
                    dry_run?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            change_request: components["schemas"]["ChangeRequest"];
                        };
                        message: string;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            change_request?: components["schemas"]["ChangeRequest"];
                            stale_actions?: number[];
                            plan?: components["schemas"]["Plan"] | null;
                            moved?: components["schemas"]["RRsetName"][];
                        } | null;
                        message: string;
                    };
                };
            };
            401: components["responses"]["Refusal401"];
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            change_request?: components["schemas"]["ChangeRequest"];
                            stale_actions?: number[];
                            plan?: components["schemas"]["Plan"] | null;
                            moved?: components["schemas"]["RRsetName"][];
                        } | null;
                        message: string;
                    };
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            change_request?: components["schemas"]["ChangeRequest"];
                            stale_actions?: number[];
                            plan?: components["schemas"]["Plan"] | null;
                            moved?: components["schemas"]["RRsetName"][];
                        } | null;
                        message: string;
                    };
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            change_request?: components["schemas"]["ChangeRequest"];
                            stale_actions?: number[];
                            plan?: components["schemas"]["Plan"] | null;
                            moved?: components["schemas"]["RRsetName"][];
                        } | null;
                        message: string;
                    };
                };
            };
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            change_request?: components["schemas"]["ChangeRequest"];
                            stale_actions?: number[];
                            plan?: components["schemas"]["Plan"] | null;
                            moved?: components["schemas"]["RRsetName"][];
                        } | null;
                        message: string;
                    };
                };
            };
            503: components["responses"]["Refusal503"];
        };
    };
    postChangeRequestsIdReject: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    comment?: string;
                    plan_hash?: string;
                    dry_run?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            change_request: components["schemas"]["ChangeRequest"];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postChangeRequestsIdRebase: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            change_request: components["schemas"]["ChangeRequest"];
                            stale_actions: number[];
                            base_serial_mismatch: boolean;
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postChangeRequestsIdComments: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    text: string;
                    action?: number;
                    dry_run?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            comments: components["schemas"]["RequestComment"][];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getZonesIdDnssec: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: components["schemas"]["SigningStatus"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            zones: {
                                name: string;
                                /** @enum {string} */
                                state: "written" | "unknown" | "untouched";
                            }[];
                        } | null;
                        message: string;
                    };
                };
            };
            503: components["responses"]["Refusal503"];
        };
    };
    postZonesIdDnssec: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    enabled: boolean;
                    algorithm?: string;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: components["schemas"]["SigningStatus"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            zones: {
                                name: string;
                                /** @enum {string} */
                                state: "written" | "unknown" | "untouched";
                            }[];
                        } | null;
                        message: string;
                    };
                };
            };
            503: components["responses"]["Refusal503"];
        };
    };
    postZonesIdDnssecRectify: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: null;
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            zones: {
                                name: string;
                                /** @enum {string} */
                                state: "written" | "unknown" | "untouched";
                            }[];
                        } | null;
                        message: string;
                    };
                };
            };
            503: components["responses"]["Refusal503"];
        };
    };
    getZonesIdDnssecKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: components["schemas"]["SigningKey"][];
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            zones: {
                                name: string;
                                /** @enum {string} */
                                state: "written" | "unknown" | "untouched";
                            }[];
                        } | null;
                        message: string;
                    };
                };
            };
            503: components["responses"]["Refusal503"];
        };
    };
    postZonesIdDnssecKeys: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    type: string;
                    algorithm: string;
                    bits: number;
                    active?: boolean;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: components["schemas"]["SigningKey"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            zones: {
                                name: string;
                                /** @enum {string} */
                                state: "written" | "unknown" | "untouched";
                            }[];
                        } | null;
                        message: string;
                    };
                };
            };
            503: components["responses"]["Refusal503"];
        };
    };
    postZonesIdDnssecKeysImport: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    type: string;
                    privatekey: string;
                    active?: boolean;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: components["schemas"]["SigningKey"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            zones: {
                                name: string;
                                /** @enum {string} */
                                state: "written" | "unknown" | "untouched";
                            }[];
                        } | null;
                        message: string;
                    };
                };
            };
            503: components["responses"]["Refusal503"];
        };
    };
    getZonesIdDnssecKeysKeyId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
                keyId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: components["schemas"]["SigningKey"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            zones: {
                                name: string;
                                /** @enum {string} */
                                state: "written" | "unknown" | "untouched";
                            }[];
                        } | null;
                        message: string;
                    };
                };
            };
            503: components["responses"]["Refusal503"];
        };
    };
    deleteZonesIdDnssecKeysKeyId: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
                keyId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: null;
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            zones: {
                                name: string;
                                /** @enum {string} */
                                state: "written" | "unknown" | "untouched";
                            }[];
                        } | null;
                        message: string;
                    };
                };
            };
            503: components["responses"]["Refusal503"];
        };
    };
    patchZonesIdDnssecKeysKeyId: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
                keyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    active: boolean;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: components["schemas"]["SigningKey"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            zones: {
                                name: string;
                                /** @enum {string} */
                                state: "written" | "unknown" | "untouched";
                            }[];
                        } | null;
                        message: string;
                    };
                };
            };
            503: components["responses"]["Refusal503"];
        };
    };
    postZonesIdNotify: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: null;
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            zones: {
                                name: string;
                                /** @enum {string} */
                                state: "written" | "unknown" | "untouched";
                            }[];
                        } | null;
                        message: string;
                    };
                };
            };
            503: components["responses"]["Refusal503"];
        };
    };
    postZonesIdRetrieve: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: null;
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            zones: {
                                name: string;
                                /** @enum {string} */
                                state: "written" | "unknown" | "untouched";
                            }[];
                        } | null;
                        message: string;
                    };
                };
            };
            503: components["responses"]["Refusal503"];
        };
    };
    postZonesIdFlush: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: null;
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            zones: {
                                name: string;
                                /** @enum {string} */
                                state: "written" | "unknown" | "untouched";
                            }[];
                        } | null;
                        message: string;
                    };
                };
            };
            503: components["responses"]["Refusal503"];
        };
    };
    getServerStatus: {
        parameters: {
            query?: {
                metrics?: string;
                include?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            running: boolean;
                            server_id: string;
                            daemon_type: string;
                            version: string;
                            uptime_seconds: number;
                            metrics: {
                                [key: string]: string;
                            };
                            calls?: {
                                name: string;
                                calls: number;
                                failures: number;
                                retries: number;
                                milliseconds: number;
                            }[];
                            slaves?: {
                                ip: string;
                                /** @enum {string} */
                                status: "ok" | "unreachable" | "skipped";
                                /** Format: date-time */
                                last_checked: string | null;
                                error: string | null;
                            }[];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            zones: {
                                name: string;
                                /** @enum {string} */
                                state: "written" | "unknown" | "untouched";
                            }[];
                        } | null;
                        message: string;
                    };
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            running: boolean;
                        } | null;
                        message: string;
                    };
                };
            };
        };
    };
    getAutoprimaries: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: string;
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            autoprimaries: components["schemas"]["AutoprimaryItem"][];
                        };
                        message: string;
                        pagination?: {
                            current_page: number;
                            per_page: number;
                            total: number;
                            last_page: number;
                        };
                        next_cursor?: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            zones: {
                                name: string;
                                /** @enum {string} */
                                state: "written" | "unknown" | "untouched";
                            }[];
                        } | null;
                        message: string;
                    };
                };
            };
            503: components["responses"]["Refusal503"];
        };
    };
    postAutoprimaries: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    ip: string;
                    nameserver: string;
                    account?: string;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            autoprimary: components["schemas"]["Autoprimary"];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            zones: {
                                name: string;
                                /** @enum {string} */
                                state: "written" | "unknown" | "untouched";
                            }[];
                        } | null;
                        message: string;
                    };
                };
            };
            503: components["responses"]["Refusal503"];
        };
    };
    putAutoprimariesIpNameserver: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                ip: string;
                nameserver: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    ip?: string;
                    nameserver?: string;
                    account?: string;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            autoprimary: components["schemas"]["Autoprimary"];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            zones: {
                                name: string;
                                /** @enum {string} */
                                state: "written" | "unknown" | "untouched";
                            }[];
                        } | null;
                        message: string;
                    };
                };
            };
            503: components["responses"]["Refusal503"];
        };
    };
    deleteAutoprimariesIpNameserver: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                ip: string;
                nameserver: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: false;
                        data: {
                            zones: {
                                name: string;
                                /** @enum {string} */
                                state: "written" | "unknown" | "untouched";
                            }[];
                        } | null;
                        message: string;
                    };
                };
            };
            503: components["responses"]["Refusal503"];
        };
    };
    getUsers: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: string;
                username?: string;
                email?: string;
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            users: components["schemas"]["UserItem"][];
                        };
                        message: string;
                        pagination?: {
                            current_page: number;
                            per_page: number;
                            total: number;
                            last_page: number;
                        };
                        next_cursor?: string | null;
                        meta?: {
                            timestamp: string;
                        };
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postUsers: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    fullname?: string;
                    email?: string;
                    description?: string;
                    password: string;
                    username: string;
                    active?: boolean;
                    perm_templ?: number;
                    use_ldap?: boolean;
                    groups?: (number | string)[];
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            user_id: number;
                            groups: {
                                id: number;
                                name: string;
                            }[];
                        };
                        message: string;
                        meta: {
                            timestamp: string;
                        };
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getUsersId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            user: components["schemas"]["User"];
                        };
                        message: string;
                        meta: {
                            timestamp: string;
                        };
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    putUsersId: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    fullname?: string;
                    email?: string;
                    description?: string;
                    password?: string;
                    username?: string | null;
                    active?: boolean | null;
                    perm_templ?: number | null;
                    use_ldap?: boolean | null;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            user_id: number;
                        };
                        message: string;
                        meta: {
                            timestamp: string;
                        };
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    deleteUsersId: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    transfer_to_user_id?: number;
                    transfer_to_group_id?: number;
                    zone_transfers?: {
                        zone_id: number;
                        user_id?: number;
                        group_id?: number;
                    }[];
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            zones_affected: number;
                        };
                        message: string;
                        meta: {
                            timestamp: string;
                        };
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    patchUsersId: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    perm_templ: number;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            user_id: number;
                            perm_templ: number;
                        };
                        message: string;
                        meta: {
                            timestamp: string;
                        };
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getGroups: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: string;
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            groups: components["schemas"]["GroupItem"][];
                        };
                        message: string;
                        pagination?: {
                            current_page: number;
                            per_page: number;
                            total: number;
                            last_page: number;
                        };
                        next_cursor?: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postGroups: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    description?: string;
                    perm_templ_id: number;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            group: {
                                id: number;
                                name: string;
                            };
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getGroupsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            group: components["schemas"]["Group"];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    putGroupsId: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    description?: string;
                    perm_templ_id?: number;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            group: components["schemas"]["ChangedGroup"];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    deleteGroupsId: {
        parameters: {
            query?: {
                confirm?: boolean;
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: null;
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getGroupsIdMembers: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: string;
                q?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            members: components["schemas"]["Member"][];
                        };
                        message: string;
                        pagination?: {
                            current_page: number;
                            per_page: number;
                            total: number;
                            last_page: number;
                        };
                        next_cursor?: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postGroupsIdMembers: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    user_id: number;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: null;
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    deleteGroupsIdMembersUserId: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
                userId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: null;
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getGroupsIdZones: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: string;
                q?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            zones: components["schemas"]["GroupZone"][];
                        };
                        message: string;
                        pagination?: {
                            current_page: number;
                            per_page: number;
                            total: number;
                            last_page: number;
                        };
                        next_cursor?: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postGroupsIdZones: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    zone_id: number;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: null;
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    deleteGroupsIdZonesZoneId: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
                zoneId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: null;
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getPermissionTemplates: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: string;
                type?: "user" | "group";
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            templates: components["schemas"]["PermissionTemplateItem"][];
                        };
                        message: string;
                        pagination?: {
                            current_page: number;
                            per_page: number;
                            total: number;
                            last_page: number;
                        };
                        next_cursor?: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postPermissionTemplates: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    descr?: string;
                    description?: string;
                    /** @enum {unknown} */
                    template_type?: "user" | "group";
                    permissions?: number[];
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            id: number;
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getPermissionTemplatesId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            template: components["schemas"]["PermissionTemplate"];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    putPermissionTemplatesId: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    descr?: string;
                    description?: string;
                    /** @enum {unknown} */
                    template_type?: "user" | "group";
                    permissions?: number[];
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: null;
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    deletePermissionTemplatesId: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: null;
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getPermissions: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: string;
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            permissions: components["schemas"]["Permission"][];
                        };
                        message: string;
                        pagination?: {
                            current_page: number;
                            per_page: number;
                            total: number;
                            last_page: number;
                        };
                        next_cursor?: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getPermissionsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            permission: components["schemas"]["Permission"];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getApiKeys: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: string;
                q?: string;
                user_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            api_keys: components["schemas"]["ApiKey"][];
                        };
                        message: string;
                        pagination?: {
                            current_page: number;
                            per_page: number;
                            total: number;
                            last_page: number;
                        };
                        next_cursor?: string | null;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postApiKeys: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    user_id?: number;
                    read_only?: boolean;
                    operations?: ("view" | "create" | "update" | "delete")[];
                    zones?: (number | string | {
                        id: number;
                    })[];
                    zone_restricted?: boolean;
                    patterns?: {
                        name: string;
                        types?: string[];
                    }[];
                    pattern_restricted?: boolean;
                    networks?: string[];
                    expires_at?: string | null;
                    idle_days?: number | null;
                    enabled?: boolean;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            api_key: components["schemas"]["ApiKey"];
                            key: string;
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getApiKeysId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            api_key: components["schemas"]["ApiKey"];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    putApiKeysId: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    read_only?: boolean;
                    operations?: ("view" | "create" | "update" | "delete")[];
                    zones?: (number | string | {
                        id: number;
                    })[];
                    zone_restricted?: boolean;
                    patterns?: {
                        name: string;
                        types?: string[];
                    }[];
                    pattern_restricted?: boolean;
                    networks?: string[];
                    expires_at?: string | null;
                    idle_days?: number | null;
                    enabled?: boolean;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            api_key: components["schemas"]["ApiKey"];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    deleteApiKeysId: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postApiKeysIdRegenerate: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            api_key: components["schemas"]["ApiKey"];
                            key: string;
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postApiKeysIdEnable: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            api_key: components["schemas"]["ApiKey"];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postApiKeysIdDisable: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            api_key: components["schemas"]["ApiKey"];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getEvents: {
        parameters: {
            query?: {
                types?: string;
                zone_id?: number;
                last_event_id?: number;
                follow?: string;
            };
            header?: {
                "Last-Event-ID"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            webhooks: components["schemas"]["Webhook"][];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postWebhooks: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    url: string;
                    types?: string[];
                    enabled?: boolean;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            webhook: components["schemas"]["Webhook"];
                            secret: string;
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getWebhooksId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            webhook: components["schemas"]["Webhook"];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    putWebhooksId: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    url?: string;
                    types?: string[];
                    enabled?: boolean;
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            webhook: components["schemas"]["Webhook"];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    deleteWebhooksId: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postWebhooksIdSecret: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    } | {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            secret: string;
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postWebhooksIdTest: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: null;
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getWebhooksIdDeliveries: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            deliveries: components["schemas"]["WebhookDelivery"][];
                        };
                        message: string;
                        pagination?: {
                            current_page: number;
                            per_page: number;
                            total: number;
                            last_page: number;
                        };
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postWebhooksIdDeliveriesDeliveryReplay: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                id: number;
                delivery: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            delivery: components["schemas"]["WebhookDelivery"];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getJobs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            jobs: components["schemas"]["Job"][];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getJobsJobRuns: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
            };
            header?: never;
            path: {
                job: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            runs: components["schemas"]["JobRun"][];
                        };
                        message: string;
                        pagination?: {
                            current_page: number;
                            per_page: number;
                            total: number;
                            last_page: number;
                        };
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postJobsJobRun: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
                "X-Change-Reason"?: string;
            };
            path: {
                job: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    dry_run?: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            plan: components["schemas"]["Plan"];
                        };
                        message: string;
                    };
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        success: true;
                        data: {
                            run: components["schemas"]["JobRun"];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            422: components["responses"]["Refusal422"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
}

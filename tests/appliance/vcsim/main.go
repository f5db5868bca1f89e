// A simulated vCenter for tests, whose privileges follow roles and propagation as a real one's do.
package main

import (
	"crypto/tls"
	"flag"
	"fmt"
	"net/url"

	"github.com/vmware/govmomi/simulator"
	_ "github.com/vmware/govmomi/vapi/simulator"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/mo"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"
)

// authorization answers for an account what its roles grant; the simulator's own grants everything.
type authorization struct {
	*simulator.AuthorizationManager
	refuses bool
}

func (a *authorization) FetchUserPrivilegeOnEntities(
	ctx *simulator.Context, req *types.FetchUserPrivilegeOnEntities,
) soap.HasFault {
	body := &methods.FetchUserPrivilegeOnEntitiesBody{}
	if a.refuses {
		body.Fault_ = simulator.Fault("", &types.NotSupported{})
		return body
	}
	body.Res = &types.FetchUserPrivilegeOnEntitiesResponse{}
	for _, entity := range req.Entities {
		body.Res.Returnval = append(body.Res.Returnval, types.UserPrivilegeResult{
			Entity: entity, Privileges: a.held(ctx, entity, req.UserName),
		})
	}
	return body
}

// held walks up from an entity: the nearest permission of the account counts.
func (a *authorization) held(
	ctx *simulator.Context, entity types.ManagedObjectReference, user string,
) []string {
	for at, isOwn := &entity, true; at != nil; isOwn = false {
		answer := a.RetrieveEntityPermissions(ctx, &types.RetrieveEntityPermissions{Entity: *at})
		for _, p := range answer.(*methods.RetrieveEntityPermissionsBody).Res.Returnval {
			if p.Principal == user && (isOwn || p.Propagate) {
				return a.privileges(p.RoleId)
			}
		}
		found, _ := ctx.Map.Get(*at).(mo.Entity)
		at = found.Entity().Parent
	}
	return nil
}

func (a *authorization) privileges(role int32) []string {
	for _, one := range a.RoleList {
		if one.RoleId == role {
			return one.Privilege
		}
	}
	return nil
}

func main() {
	listen := flag.String("listen", "127.0.0.1:443", "address")
	certificate := flag.String("cert", "", "PEM file")
	key := flag.String("key", "", "PEM file")
	refuses := flag.Bool("no-fetch", false, "do not know FetchUserPrivilegeOnEntities")
	flag.Parse()
	pair, err := tls.LoadX509KeyPair(*certificate, *key)
	if err != nil {
		panic(err)
	}
	model := simulator.VPX()
	if err := model.Create(); err != nil {
		panic(err)
	}
	own := *model.ServiceContent.AuthorizationManager
	manager := model.Map().Get(own).(*simulator.AuthorizationManager)
	model.Map().Put(&authorization{manager, *refuses})
	model.Service.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	model.Service.RegisterEndpoints = true
	// Any user with a password may log in.
	model.Service.Listen = &url.URL{Host: *listen}
	fmt.Println(model.Service.NewServer().URL.Host)
	select {}
}
